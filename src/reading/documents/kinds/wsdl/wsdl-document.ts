/** WSDL descriptions as documents. */
import { escapeSigns } from '../../../../base/text/escape-signs.ts';
import { documentOf, elementHtml, HtmlBody, linked } from '../../document-html.ts';
import { type DocumentReader, type DocumentReading, NO_DOCUMENT_FACTS } from '../../document-kind.ts';
import { broken, safely } from '../../safe-reading.ts';
import { attribute, childAt, childrenNamed, readXml, type XmlElement } from '../../xml-tree.ts';
import { documentationOf, endpointsOf, interfacesOf, schemaTypesOf, type WsdlInterface } from './wsdl-interfaces.ts';

export const wsdlDocument: DocumentReader = { read: (bytes, base) => safely(() => readWsdl(bytes, base)) };

function readWsdl(bytes: Uint8Array, base: string | null): DocumentReading {
  const { root: file, cut } = readXml(bytes);
  const root = childAt(file, 'definitions') ?? childAt(file, 'description');
  if (root === undefined) throw broken('the file is not a WSDL description');
  const name = nameOf(root);
  const [interfaces, endpoints] = [interfacesOf(root), endpointsOf(root)];
  const body = new HtmlBody();
  for (const part of partsOf(root, name ?? '', interfaces, endpoints, base)) if (!body.add(part)) break;
  const operations = interfaces.flatMap((one) =>
    one.operations.map(({ method, path, documentation }) => ({ method, path, summary: documentation })),
  );
  return documentOf(body, { ...NO_DOCUMENT_FACTS, title: name, cut, api: { name: name ?? '', version: null, operations, endpoints } });
}

/** The name of the service, else that of the file or of the first interface. */
function nameOf(root: XmlElement): string | null {
  const named = [...childrenNamed(root, 'service'), root, ...childrenNamed(root, 'porttype'), ...childrenNamed(root, 'interface')];
  return named.flatMap((element) => attribute(element, 'name')?.trim() || [])[0] ?? null;
}

function* partsOf(
  root: XmlElement,
  name: string,
  interfaces: readonly WsdlInterface[],
  endpoints: readonly string[],
  base: string | null,
): Generator<string> {
  yield elementHtml('h1', escapeSigns(name));
  yield paragraph(documentationOf(root));
  for (const service of childrenNamed(root, 'service')) yield paragraph(documentationOf(service));
  yield elementHtml('ul', endpoints.map((url) => elementHtml('li', linked(escapeSigns(url), url, base))).join('\n'));
  for (const one of interfaces) yield interfaceHtml(one);
  for (const { name: type, documentation, parts } of schemaTypesOf(root))
    yield elementHtml('h2', escapeSigns(type)) + paragraph(documentation) + listHtml(parts);
}

function interfaceHtml({ name, documentation, operations }: WsdlInterface): string {
  const parts = operations.map(
    ({ method, path, documentation: text, messages }) =>
      elementHtml('h3', escapeSigns(`${method} ${path}`)) + paragraph(text) + listHtml(messages),
  );
  return elementHtml('section', [elementHtml('h2', escapeSigns(name)), paragraph(documentation), ...parts].join('\n'));
}

function paragraph(text: string | null): string {
  return elementHtml('p', escapeSigns(text ?? ''));
}

function listHtml(items: readonly string[]): string {
  return elementHtml('ul', items.map((item) => elementHtml('li', escapeSigns(item))).join('\n'));
}

/** Interfaces and operations of WSDL 1.1 (W3C note of 2001) and 2.0 (recommendation of 2007). */
import { squeeze } from '../../../../base/text/squeeze.ts';
import { attribute, childAt, childrenNamed, descendants, elementsOf, textIn, type XmlElement } from '../../xml-tree.ts';

export interface WsdlInterface {
  readonly name: string;
  readonly documentation: string | null;
  readonly operations: readonly WsdlOperation[];
}

export interface WsdlOperation {
  /** `SOAP`, or the verb of HTTP. */
  readonly method: string;
  /** The name; with HTTP the path, if the file states one. */
  readonly path: string;
  readonly documentation: string | null;
  /** Input, output and faults, each with its parts. */
  readonly messages: readonly string[];
}

/** A binding, and its operations by their names. */
interface Binding {
  readonly element: XmlElement;
  readonly operations: ReadonlyMap<string, XmlElement>;
}

/** Most operations of one interface: real ones have some hundred. */
const MAX_OPERATIONS = 5000;

/** Interfaces of a file, in the order of writing; `portType` is the word of version 1.1. */
export function interfacesOf(root: XmlElement): readonly WsdlInterface[] {
  const messages = new Map(childrenNamed(root, 'message').map((one) => [attribute(one, 'name') ?? '', one]));
  // The first binding of an interface tells how it is called.
  const bindings = new Map(
    childrenNamed(root, 'binding')
      .map((one) => [localName(attribute(one, 'interface') ?? attribute(one, 'type')), bindingOf(one)] as const)
      .reverse(),
  );
  const elements = elementsOf(root).filter(({ name }) => name === 'porttype' || name === 'interface');
  return elements.map((element) => {
    const name = attribute(element, 'name') ?? '';
    const operations = childrenNamed(element, 'operation')
      .slice(0, MAX_OPERATIONS)
      .map((operation) => operationOf(operation, bindings.get(name), messages));
    return { name, documentation: documentationOf(element), operations };
  });
}

function bindingOf(element: XmlElement): Binding {
  const operations = childrenNamed(element, 'operation').map(
    (one) => [localName(attribute(one, 'ref') ?? attribute(one, 'name')), one] as const,
  );
  return { element, operations: new Map(operations) };
}

function operationOf(operation: XmlElement, binding: Binding | undefined, messages: ReadonlyMap<string, XmlElement>): WsdlOperation {
  const name = attribute(operation, 'name') ?? '';
  const bound = binding?.operations.get(name);
  return {
    method: methodOf(binding?.element, bound),
    path: locationOf(bound) ?? name,
    documentation: documentationOf(operation),
    messages: elementsOf(operation).flatMap((message) => messageText(message, messages) ?? []),
  };
}

/** A name that is a reference, without its prefix. */
function localName(reference: string | null): string {
  return reference?.split(':').at(-1) ?? '';
}

/** `http:binding verb="GET"` of 1.1, `whttp:method="GET"` of 2.0. */
function methodOf(binding: XmlElement | undefined, operation: XmlElement | undefined): string {
  const verb = attribute(childAt(binding, 'binding'), 'verb') ?? attribute(operation, 'method') ?? attribute(binding, 'methoddefault');
  return verb?.toUpperCase() ?? 'SOAP';
}

function locationOf(operation: XmlElement | undefined): string | null {
  return attribute(childAt(operation, 'operation'), 'location') ?? attribute(operation, 'location');
}

/** Most parts of one message: operations share messages. */
const MAX_PARTS = 100;
const MESSAGES = new Set(['input', 'output', 'fault', 'infault', 'outfault']);

/** `input: GetPriceRequest (symbol, date)`; null for other elements. */
function messageText(element: XmlElement, messages: ReadonlyMap<string, XmlElement>): string | null {
  if (!MESSAGES.has(element.name)) return null;
  const name = localName(
    attribute(element, 'message') ?? attribute(element, 'element') ?? attribute(element, 'ref') ?? attribute(element, 'name'),
  );
  const parts = childrenNamed(messages.get(name), 'part')
    .slice(0, MAX_PARTS)
    .flatMap((part) => attribute(part, 'name') ?? []);
  return `${element.name}: ${name}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
}

/** Text of the documentation of an element; null without any. */
export function documentationOf(element: XmlElement | undefined): string | null {
  return squeeze(textIn(childAt(element, 'documentation') ?? childAt(element, 'annotation', 'documentation'))) || null;
}

/** Addresses of the ports of the services, as written. */
export function endpointsOf(root: XmlElement): readonly string[] {
  const ports = childrenNamed(root, 'service').flatMap((service) =>
    elementsOf(service).filter(({ name }) => name === 'port' || name === 'endpoint'),
  );
  const all = ports.flatMap((port) => attribute(childAt(port, 'address'), 'location') ?? attribute(port, 'address') ?? []);
  return [...new Set(all.filter((address) => address.trim() !== ''))];
}

export interface WsdlType {
  readonly name: string;
  readonly documentation: string | null;
  /** Names of the parts with their documentation. */
  readonly parts: readonly string[];
}

/** Named elements and types of the schemas. */
export function schemaTypesOf(root: XmlElement): readonly WsdlType[] {
  const types = descendants(childAt(root, 'types'), 'schema').flatMap(elementsOf);
  return types.flatMap((type) => {
    const name = attribute(type, 'name');
    if (name === null) return [];
    return [{ name, documentation: documentationOf(type), parts: descendants(type, 'element').map(partText) }];
  });
}

function partText(part: XmlElement): string {
  const name = attribute(part, 'name') ?? localName(attribute(part, 'ref'));
  const documentation = documentationOf(part);
  return documentation === null ? name : `${name}: ${documentation}`;
}

/** OpenAPI descriptions in JSON and YAML. */
import { parseDocument } from 'yaml';
import { messageOf } from '../../../../base/core/errors.ts';
import { squeeze } from '../../../../base/text/squeeze.ts';
import { xmlDecoder } from '../../../extract/xml-decoder.ts';
import { documentOf, HtmlBody } from '../../document-html.ts';
import { type DocumentReader, type DocumentReading, NO_DOCUMENT_FACTS } from '../../document-kind.ts';
import { isObjectStart } from '../../file-head.ts';
import { type JsonObject, objectAt, textAt } from '../../json-values.ts';
import { broken, safely } from '../../safe-reading.ts';
import { OpenApi } from './openapi-file.ts';
import { addDescription } from './openapi-html.ts';

export const openapiDocument: DocumentReader = { read: (bytes, base) => safely(() => readDescription(bytes, base)) };

/** Number of aliases that a YAML file may expand to: descriptions repeat themselves by `$ref`. */
const MAX_ALIASES = 100;
/** Characters and line ends or commas of YAML that are read: the parser takes up to 50 µs for a line. The rest of the lines are omitted. */
const MAX_YAML = { chars: 2 * 1024 * 1024, marks: 80_000 };

function readDescription(bytes: Uint8Array, base: string | null): DocumentReading {
  const text = xmlDecoder(bytes).decode(bytes);
  const { value, cut } = isObjectStart(bytes) ? { value: fromJson(text), cut: false } : fromYaml(text);
  const api = new OpenApi(value);
  if (api.format === null) throw broken('the file has no version of OpenAPI at its top');
  const body = new HtmlBody();
  addDescription(body, api, base);
  return documentOf(body, { ...NO_DOCUMENT_FACTS, title: textAt(api.info['title']), api: api.api, cut });
}

function fromJson(text: string): JsonObject {
  try {
    return objectAt(JSON.parse(text));
  } catch (error) {
    throw broken(`not JSON (${squeeze(messageOf(error)).slice(0, 200)})`);
  }
}

function fromYaml(text: string): { readonly value: JsonObject; readonly cut: boolean } {
  const whole = readableLines(text);
  const cut = whole.length < text.length;
  const document = parseDocument(whole, { prettyErrors: false, logLevel: 'silent', uniqueKeys: false });
  const [error] = document.errors;
  if (error !== undefined && !cut) throw broken(`not YAML (${squeeze(error.message).slice(0, 200)})`);
  try {
    return { value: objectAt(document.toJS({ maxAliasCount: MAX_ALIASES })), cut };
  } catch (fault) {
    throw broken(`not YAML (${squeeze(messageOf(fault)).slice(0, 200)})`);
  }
}

function readableLines(yaml: string): string {
  const marks = /[\n,]/g;
  let end = 0;
  for (let count = 0; count < MAX_YAML.marks && end < MAX_YAML.chars; count += 1) {
    const mark = marks.exec(yaml);
    if (mark === null) return yaml.length <= MAX_YAML.chars ? yaml : yaml.slice(0, end);
    if (mark[0] === '\n') end = mark.index + 1;
  }
  return yaml.slice(0, end);
}

/** An OpenAPI description as a page for readers. */
import { escapeSigns } from '../../../../base/text/escape-signs.ts';
import { describedHtml, oneLine } from '../../described-html.ts';
import { elementHtml, type HtmlBody, linked } from '../../document-html.ts';
import { type JsonObject, listAt, objectAt, textAt } from '../../json-values.ts';
import { type OpenApi, type Operation, type PathItem, summaryOf } from './openapi-file.ts';

/** Adds all parts that have room. */
export function addDescription(body: HtmlBody, api: OpenApi, base: string | null): void {
  for (const part of new DescriptionWriter(api, base).parts()) if (!body.add(part)) return;
}

class DescriptionWriter {
  readonly #api: OpenApi;
  readonly #base: string | null;

  constructor(api: OpenApi, base: string | null) {
    this.#api = api;
    this.#base = base;
  }

  *parts(): Generator<string> {
    const { info } = this.#api;
    yield elementHtml('h1', textHtml(info['title']));
    yield elementHtml('p', textHtml(info['summary']));
    yield this.#described(info, 2);
    yield elementHtml('ul', this.#api.endpoints.map((url) => elementHtml('li', linked(escapeSigns(url), url, this.#base))).join('\n'));
    for (const tag of listAt(this.#api.root['tags'])) yield this.#tag(objectAt(tag));
    for (const item of [...this.#api.paths, ...this.#api.webhooks]) yield this.#path(item);
    for (const [name, schema] of this.#api.schemas) yield this.#schema(name, schema);
  }

  #described(object: JsonObject, level: number): string {
    return describedHtml(textAt(object['description']), this.#base, level) + this.#external(object);
  }

  #external(object: JsonObject): string {
    const documents = objectAt(object['externalDocs']);
    const url = textAt(documents['url']);
    return url === null ? '' : elementHtml('p', linked(escapeSigns(oneLine(textAt(documents['description'])) ?? url), url, this.#base));
  }

  /** Tags group operations; one without a description has its name in them. */
  #tag(tag: JsonObject): string {
    const described = this.#described(tag, 3);
    return described === '' ? '' : elementHtml('h2', textHtml(tag['name'])) + described;
  }

  #path({ path, item, operations }: PathItem): string {
    if (operations.length === 0) return '';
    const parts = operations.map((operation) => this.#operation(operation));
    return elementHtml(
      'section',
      [elementHtml('h2', escapeSigns(path)), elementHtml('p', textHtml(item['summary'])), this.#described(item, 3), ...parts].join('\n'),
    );
  }

  #operation({ method, operation, parameters }: Operation): string {
    const summary = summaryOf(operation);
    const heading = elementHtml('h3', escapeSigns(summary === null ? method : `${method}: ${summary}`));
    const request = this.#api.resolved(operation['requestBody']);
    const items = parameters.map((parameter) => this.#named(textAt(parameter['name']) ?? '', parameter));
    const responses = Object.entries(objectAt(operation['responses'])).map(([status, response]) =>
      this.#named(status, this.#api.resolved(response)),
    );
    return [
      heading,
      this.#described(operation, 4),
      elementHtml('ul', items.join('\n')),
      this.#described(request, 4),
      elementHtml('ul', responses.join('\n')),
    ].join('');
  }

  /** An item with a name and a description. */
  #named(name: string, object: JsonObject): string {
    const description = oneLine(textAt(object['description']));
    const values = listAt(object['enum']).flatMap((value) => textAt(value) ?? []);
    const text = [description, values.join(', ')].filter((part) => part !== null && part !== '').join(' ');
    return elementHtml('li', escapeSigns(text === '' ? name : `${name}: ${text}`));
  }

  #schema(name: string, schema: JsonObject): string {
    const parts = [schema, ...['allOf', 'oneOf', 'anyOf'].flatMap((join) => listAt(schema[join])).map((part) => objectAt(part))];
    const properties = parts.flatMap((part) => Object.entries(objectAt(part['properties'])));
    const items = properties.map(([property, value]) => this.#named(property, this.#api.resolved(value)));
    const title = textAt(schema['title']);
    const heading = elementHtml('h2', escapeSigns(title === null || title === name ? name : `${name}: ${title}`));
    return elementHtml('section', [heading, this.#described(schema, 3), elementHtml('ul', items.join('\n'))].join(''));
  }
}

function textHtml(value: unknown): string {
  return escapeSigns(textAt(value) ?? '');
}

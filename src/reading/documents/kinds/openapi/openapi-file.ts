/** OpenAPI 2 (Swagger), 3.0 and 3.1: the parts that both forms have. */
import type { ApiDescription } from '../../../../base/core/types.ts';
import { type JsonObject, listAt, objectAt, textAt } from '../../json-values.ts';

/** Fields of a path item that are operations (OpenAPI 3.1 §4.8.9; 2 has no `trace`). */
const METHODS = new Set('get put post delete options head patch trace'.split(' '));
/** Operations that are read: the largest descriptions known have some 10,000. */
const MAX_OPERATIONS = 20_000;
/** Most parameters of one operation: a reference may repeat them at each path. */
const MAX_PARAMETERS = 100;
/** References to references. */
const MAX_HOPS = 10;

export interface PathItem {
  readonly path: string;
  readonly item: JsonObject;
  readonly operations: readonly Operation[];
}

export interface Operation {
  /** Upper case. */
  readonly method: string;
  readonly operation: JsonObject;
  /** Parameters of the operation, then those of its path. */
  readonly parameters: readonly JsonObject[];
}

export class OpenApi {
  readonly root: JsonObject;
  /** Items with the operations of the service. */
  readonly paths: readonly PathItem[];

  constructor(root: JsonObject) {
    this.root = root;
    this.paths = this.#pathItems('paths');
  }

  /** `2.0`, `3.1.0`; null if it is not a description. */
  get format(): string | null {
    const format = textAt(this.root['openapi']) ?? textAt(this.root['swagger']);
    return format !== null && /^[23](?:\.|$)/.test(format) ? format : null;
  }

  get info(): JsonObject {
    return objectAt(this.root['info']);
  }

  /** Calls from the service to its users (3.1): no operations of the service. */
  get webhooks(): readonly PathItem[] {
    return this.#pathItems('webhooks');
  }

  /** Named schemas in the order of writing. */
  get schemas(): readonly (readonly [name: string, schema: JsonObject])[] {
    const all = { ...objectAt(this.root['definitions']), ...objectAt(objectAt(this.root['components'])['schemas']) };
    return Object.entries(all).map(([name, schema]) => [name, this.resolved(schema)]);
  }

  /** Addresses of the service as written, variables with their defaults. */
  get endpoints(): readonly string[] {
    const host = textAt(this.root['host']);
    const path = textAt(this.root['basePath']) ?? '';
    const schemes = listAt(this.root['schemes']).flatMap((scheme) => textAt(scheme) ?? []);
    if (host !== null) return (schemes.length > 0 ? schemes : ['https']).map((scheme) => `${scheme}://${host}${path}`);
    const servers = listAt(this.root['servers']).flatMap((server) => serverUrl(objectAt(server)) ?? []);
    return servers.length > 0 || path === '' ? servers : [path];
  }

  get api(): ApiDescription {
    return {
      name: textAt(this.info['title']) ?? '',
      version: textAt(this.info['version']),
      operations: this.paths.flatMap(listedOperations),
      endpoints: this.endpoints,
    };
  }

  /** The object itself, or the one that it refers to in this file. Other files are not read. */
  resolved(value: unknown): JsonObject {
    let object = objectAt(value);
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      const reference = textAt(object['$ref']);
      if (reference === null || !reference.startsWith('#/')) return object;
      object = this.#at(reference);
    }
    return {};
  }

  /** Value of a JSON pointer (RFC 6901). */
  #at(reference: string): JsonObject {
    const steps = reference
      .slice(2)
      .split('/')
      .map((step) => unescaped(step));
    let value: unknown = this.root;
    for (const step of steps) value = Object.hasOwn(objectAt(value), step) ? objectAt(value)[step] : undefined;
    return objectAt(value);
  }

  #pathItems(name: string): readonly PathItem[] {
    let left = MAX_OPERATIONS;
    return Object.entries(objectAt(this.root[name]))
      .filter(([path]) => !path.startsWith('x-'))
      .slice(0, MAX_OPERATIONS)
      .map(([path, value]) => {
        const item = this.resolved(value);
        const operations = left > 0 ? Object.keys(item).flatMap((method) => this.#operation(item, method) ?? []) : [];
        left -= operations.length;
        return { path, item, operations };
      });
  }

  #operation(item: JsonObject, method: string): Operation | null {
    if (!METHODS.has(method) || typeof item[method] !== 'object' || item[method] === null) return null;
    const operation = objectAt(item[method]);
    const parameters = [...listAt(operation['parameters']), ...listAt(item['parameters'])]
      .slice(0, MAX_PARAMETERS)
      .map((parameter) => this.resolved(parameter));
    return { method: method.toUpperCase(), operation, parameters };
  }
}

function listedOperations({ path, operations }: PathItem): ApiDescription['operations'] {
  return operations.map(({ method, operation }) => ({ method, path, summary: summaryOf(operation) }));
}

/** Summary, else the name of the operation in programs. */
export function summaryOf(operation: JsonObject): string | null {
  return textAt(operation['summary']) ?? textAt(operation['operationId']);
}

function serverUrl(server: JsonObject): string | null {
  const variables = objectAt(server['variables']);
  const url = textAt(server['url']);
  return url === null
    ? null
    : url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => textAt(objectAt(variables[name])['default']) ?? whole);
}

function unescaped(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

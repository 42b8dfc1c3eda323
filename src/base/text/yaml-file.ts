/** Checks YAML files written by people: errors name file, line and field. */
import { LineCounter, parseDocument, type Tags, YAMLError } from 'yaml';
import type * as z from 'zod';
import { DataError, messageOf } from '../core/errors.ts';
import { nearest } from './nearest.ts';

export interface YamlFileKind {
  /** Names of all valid keys, to suggest one for an invalid key. */
  readonly keys: readonly string[] | ((path: readonly PropertyKey[]) => readonly string[]);
  /** The next step after a fault, for the end of its line. */
  readonly remedy: string;
  /** No value of the file is ever quoted. Default false. */
  readonly secret?: boolean;
}

export interface YamlFile<T> {
  readonly data: T;
  /** `file:line` of the value at a path. */
  whereOf(path: readonly PropertyKey[]): string;
}

type YamlDocument = ReturnType<typeof parseDocument>;

/** Number of aliases that a YAML file may expand to: real files have a handful. */
const MAX_ALIASES = 100;

/**
 * The value of a YAML text, by its schema.
 * @param file its name in errors
 * @throws DataError
 */
export function parseYamlFile<T>(yaml: string, file: string, schema: z.ZodType<T>, kind: YamlFileKind): YamlFile<T> {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false, customTags: (tags) => tags.filter(isPlain) });
  const lineAt = (offset: number) => `${file}:${lines.linePos(offset).line}`;
  const [error] = document.errors;
  if (error !== undefined) throw faultOf(`${lineAt(error.pos[0])}: not YAML (${said(error, kind)})`, error, kind);
  const whereOf = (path: readonly PropertyKey[]) => lineAt(offsetOf(document, path));
  const parsed = schema.safeParse(contentOf(document, file, kind));
  if (parsed.success) return { data: parsed.data, whereOf };
  // A wrong key also explains why a right one is missing.
  const issue = parsed.error.issues.find(({ code }) => code === 'unrecognized_keys') ?? parsed.error.issues[0];
  const path = issue?.path ?? [];
  throw faultOf(`${whereOf(path)}: ${nameOf(path, kind)}: ${reasonOf(issue, kind)}; ${kind.remedy}`, parsed.error, kind);
}

/** Numbers are decimal digits, as on the command line: `0x10`, `0o17` and `1e3` stay texts. */
function isPlain(tag: Tags[number]): boolean {
  return typeof tag === 'string' || !('format' in tag) || !NOT_DECIMAL.has(String(tag.format));
}

const NOT_DECIMAL = new Set(['HEX', 'OCT', 'EXP']);

function contentOf(document: YamlDocument, file: string, kind: YamlFileKind): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw faultOf(`${file}: ${said(error, kind)}; write it out`, error, kind);
  }
}

/** The parser quotes the invalid text. */
function said(error: unknown, { secret = false }: YamlFileKind): string {
  if (!secret) return messageOf(error).replaceAll(/\s+/g, ' ').trim();
  return error instanceof YAMLError ? error.code : 'an alias that leads nowhere, or too many';
}

function faultOf(message: string, cause: unknown, { secret = false }: YamlFileKind): DataError {
  return new DataError(message, secret ? {} : { cause });
}

/** Start of the innermost existing part of a path; for a missing value, the place where it should be. */
function offsetOf(document: YamlDocument, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) return Number(node.range[0]);
  }
  return 0;
}

/** A key may contain a password if somebody wrote a URL instead of a host. */
function nameOf(path: readonly PropertyKey[], { secret = false }: YamlFileKind): string {
  const name = path
    .reduce<string>((text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${String(part)}`), '')
    .slice(1);
  return (secret && name.includes('@') ? '' : name) || 'the file';
}

/** The fault of a key is one level down. */
function reasonOf(issue: z.core.$ZodIssue | undefined, kind: YamlFileKind): string {
  if (issue?.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  if (issue?.code === 'unrecognized_keys') return unknownKey(issue.keys[0] ?? '', issue.path, kind);
  return issue?.message ?? 'not understood';
}

/** More names do not help in one line. */
const MAX_NAMED = 30;

function unknownKey(key: string, path: readonly PropertyKey[], { keys: known, secret = false }: YamlFileKind): string {
  const keys = typeof known === 'function' ? known(path) : known;
  const meant = nearest(key, keys);
  const all = keys.length > MAX_NAMED ? '' : `; there are ${keys.join(', ')}`;
  const guess = meant === null ? all : `; did you mean ${meant}?`;
  return `has an unknown key${secret && !/^[\w-]{1,20}$/.test(key) ? '' : ` "${key}"`}${guess}`;
}

/** The file of `--hosts`: header fields, credentials and unverified certificates, by host. */
import * as z from 'zod';
import { DataError } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { type Environment, expanded, readYamlText } from '../../base/text/written-file.ts';
import { parseYamlFile, type YamlFile } from '../../base/text/yaml-file.ts';
import { type HostSetting, HostSettings, originsOf } from './host-settings.ts';
import { FIELD_NAME, FIELD_VALUE, OWN_FIELDS } from './request-fields.ts';

/** Ten thousand hosts are a tenth of this. */
const MAX_BYTES: Bytes = 16 * 1024 * 1024;

const text = z.string('has to be text; put it in quotes');
const headersSchema = z.record(
  text
    .regex(FIELD_NAME, 'is not the name of a header field; write one such as X-Research')
    .refine((name) => !OWN_FIELDS.has(name.toLowerCase()), 'is a field that the crawler sets itself'),
  text,
);
const entrySchema = z
  .strictObject({
    headers: headersSchema.optional(),
    user: text.optional(),
    password: text.optional(),
    auth: text.optional(),
    tls: z.enum(['verified', 'unverified'], 'has to be verified or unverified').optional(),
  })
  .refine(({ user, password }) => (user === undefined) === (password === undefined), 'has one of user and password; give both')
  .refine((entry) => waysToLogIn(entry) <= 1, 'logs in twice; give user and password, or auth, or an Authorization header');
const fileSchema = z.strictObject({
  hosts: z.record(
    text.refine((pattern) => originsOf(pattern) !== null, 'names no host; write example.org, https://example.org:8443 or "*.example.org"'),
    entrySchema,
  ),
});
const KIND = { keys: ['hosts', 'headers', 'user', 'password', 'auth', 'tls'], remedy: 'mend it there', secret: true } as const;

type File = z.infer<typeof fileSchema>;
type Entry = z.infer<typeof entrySchema>;

/**
 * The settings of a file. No error quotes a value of it, or one of the environment.
 * @throws UsageError if it cannot be read, DataError naming the invalid line
 */
export function openHostSettings(path: string, environment: Environment): HostSettings {
  const file = parseYamlFile(readYamlText(path, MAX_BYTES, 'settings of hosts', `--hosts ${path}`), path, fileSchema, KIND);
  refuseTwice(file);
  const byOrigin = new Map<string, HostSetting>();
  for (const pattern of inOrder(Object.keys(file.data.hosts))) {
    const setting = settingOf(file.data.hosts[pattern] ?? {}, new Values(file, pattern, environment));
    for (const origin of originsOf(pattern) ?? []) byOrigin.set(origin, setting);
  }
  return new HostSettings(byOrigin);
}

/** The last one counts: a pattern with a scheme is the closer match. */
function inOrder(patterns: readonly string[]): string[] {
  return [...patterns].sort((a, b) => Number(a.includes('://')) - Number(b.includes('://')));
}

/** Two keys for the same origins: only one of them could count. @throws DataError */
function refuseTwice({ data, whereOf }: YamlFile<File>): void {
  const seen = new Set<string>();
  for (const pattern of Object.keys(data.hosts)) {
    const origins = String(originsOf(pattern));
    if (seen.has(origins)) throw new DataError(`${whereOf(['hosts', pattern])}: ${pattern}: is there already; leave one out`);
    seen.add(origins);
  }
}

function waysToLogIn({
  headers = {},
  user,
  auth,
}: {
  headers?: Record<string, string> | undefined;
  user?: string | undefined;
  auth?: string | undefined;
}): number {
  const fields = Object.keys(headers).filter((name) => name.toLowerCase() === 'authorization').length;
  return fields + Number(user !== undefined) + Number(auth !== undefined);
}

/** The values of one entry, with those of the environment inserted. */
class Values {
  readonly #file: YamlFile<File>;
  readonly #pattern: string;
  readonly #environment: Environment;

  constructor(file: YamlFile<File>, pattern: string, environment: Environment) {
    this.#file = file;
    this.#pattern = pattern;
    this.#environment = environment;
  }

  /** @param path of the value in its entry. @throws DataError */
  expanded(value: string, ...path: readonly string[]): string {
    return expanded(value, this.#environment, (why) => this.fault(why, ...path));
  }

  fault(why: string, ...path: readonly string[]): DataError {
    return new DataError(`${this.#file.whereOf(['hosts', this.#pattern, ...path])}: ${[this.#pattern, ...path].join(' ')}: ${why}`);
  }
}

/** @throws DataError */
function settingOf(entry: Entry, values: Values): HostSetting {
  const fields = Object.entries(entry.headers ?? {}).flatMap(([name, written]) => {
    const value = values.expanded(written, 'headers', name);
    if (FIELD_VALUE.test(value)) return [name.toLowerCase(), value];
    throw values.fault('cannot be sent: it is empty, has blanks around it, or other characters than Latin-1 of one line', 'headers', name);
  });
  const pair = pairOf(entry, values);
  if (pair !== null) fields.push('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  return { fields, unverified: entry.tls === 'unverified' };
}

/** `user:password` (RFC 7617); null without one. @throws DataError */
function pairOf({ user, password, auth }: Entry, values: Values): string | null {
  if (user !== undefined) {
    const name = values.expanded(user, 'user');
    if (name.includes(':')) throw values.fault('has a colon, which Basic cannot send', 'user');
    return `${name}:${values.expanded(password ?? '', 'password')}`;
  }
  if (auth === undefined) return null;
  const [, pair] = /^basic +([^:]+:.*)$/is.exec(values.expanded(auth, 'auth')) ?? [];
  if (pair === undefined)
    throw values.fault('has to be basic user:password; other ways to log in go into headers, as Authorization', 'auth');
  return pair;
}

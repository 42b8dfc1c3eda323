/**
 * `forager.yaml`: options of commands, written down. What stands at the top holds for each command that has the option; a section with a command's name
 * holds for that command, before the top. The command line holds before both.
 */
import { z } from 'zod';
import { DataError } from '../core/errors.ts';
import type { Bytes } from '../core/types.ts';
import { type Environment, expanded, readYamlText } from '../text/written-file.ts';
import { parseYamlFile } from '../text/yaml-file.ts';
import { COMMANDS, type CommandName } from './commands.ts';
import type { JsonSchema } from './kinds.ts';
import { flagOf, type Setting, type Settings } from './setting.ts';

/** All options of all commands, with lists of a hundred URLs, are a hundredth of this. */
const MAX_BYTES: Bytes = 1024 * 1024;

/** What a file says for one option. */
export interface Configured {
  /** As the command line would have them, with the environment put in. */
  readonly words: readonly string[];
  /** The same without it: fit to be shown. */
  readonly written: readonly string[];
  /** `file:line`. */
  readonly where: string;
}

const NO_VALUE = 'is no text, number, true, false or list of texts';
const scalar = z.union([z.string(), z.number(), z.boolean()], NO_VALUE);
const value = z.union([scalar, z.array(z.union([z.string(), z.number()]))], NO_VALUE);
type Value = z.infer<typeof value>;

/** Every command; of each, its settings by their names in the file. */
const SECTIONS: Readonly<Record<CommandName, Readonly<Record<string, Setting<unknown>>>>> = byCommand(byFlag);

function byCommand<T>(of: (settings: Settings) => T): Readonly<Record<CommandName, T>> {
  return Object.fromEntries(Object.entries(COMMANDS).map(([name, settings]) => [name, of(settings)])) as Record<CommandName, T>;
}

function byFlag(settings: Settings): Readonly<Record<string, Setting<unknown>>> {
  return Object.fromEntries(Object.entries(settings).map(([name, setting]) => [flagOf(name, setting), setting]));
}

const KEYS = [...new Set([...Object.keys(SECTIONS), ...Object.values(SECTIONS).flatMap(Object.keys)])];

function optional(keys: readonly string[], schemaOf: (key: string) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(keys.map((key) => [key, schemaOf(key).optional()]));
}

function sectionOf(key: string): z.ZodType | null {
  const section = Object.entries(SECTIONS).find(([name]) => name === key)?.[1];
  return section === undefined ? null : z.strictObject(optional(Object.keys(section), () => value));
}

/** A name that is an option and a command (`seeds`) is the command where it has options of its own. */
function topSchemaOf(key: string): z.ZodType {
  const section = sectionOf(key);
  const isOption = Object.values(SECTIONS).some((options) => Object.hasOwn(options, key));
  if (section === null) return value;
  return isOption ? eitherOf(section) : section;
}

/** What stands there is checked as what it looks like: options of a command, or a value. A union would tell of neither. */
function eitherOf(section: z.ZodType): z.ZodType {
  return z.unknown().check((payload) => {
    const schema = isSection(payload.value) ? section : value;
    for (const issue of schema.safeParse(payload.value).error?.issues ?? [])
      payload.issues.push({ ...issue, code: 'custom', input: payload.value, message: messageOfIssue(issue) });
  });
}

function messageOfIssue(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? `has an unknown key "${issue.keys[0] ?? ''}"` : issue.message;
}

const fileSchema = z.strictObject(optional(KEYS, topSchemaOf));
const KIND = { keys: KEYS, remedy: 'mend it there; forager config --schema prints all that a file may have', secret: true } as const;

export class ConfigFile {
  readonly #path: string;
  readonly #data: Readonly<Record<string, unknown>>;
  readonly #environment: Environment;
  readonly #whereOf: (path: readonly string[]) => string;

  /**
   * No error quotes a value of the file or of the environment.
   * @throws UsageError when it cannot be read; DataError naming the line that is wrong
   */
  constructor(path: string, environment: Environment) {
    const file = parseYamlFile(readYamlText(path, MAX_BYTES, 'options', `--config ${path}`), path, fileSchema, KIND);
    this.#path = path;
    this.#data = file.data;
    this.#environment = environment;
    this.#whereOf = file.whereOf;
  }

  /** What the file says for an option of a command, by its name on the command line; null where it says nothing. @throws DataError for a name that the environment has not */
  valueOf(command: CommandName, flag: string): Configured | null {
    const section = this.#data[command];
    if (isSection(section) && section[flag] !== undefined) return this.#configured(section[flag], [command, flag]);
    const top = this.#data[flag];
    return top === undefined || isSection(top) ? null : this.#configured(top, [flag]);
  }

  #configured(content: unknown, path: readonly string[]): Configured {
    const where = this.#whereOf(path);
    const written = [value.parse(content)].flat().map((one: Exclude<Value, unknown[]>) => String(one));
    const fault = (why: string) => new DataError(`${where}: ${path.join('.')}: ${why}`);
    return { written, words: written.map((word) => expanded(word, this.#environment, fault)), where };
  }

  toString(): string {
    return this.#path;
  }
}

function isSection(content: unknown): content is Readonly<Record<string, unknown>> {
  return typeof content === 'object' && content !== null && !Array.isArray(content);
}

/** The JSON Schema of a file, for editors. */
export function configSchema(): JsonSchema {
  const sections = byCommand((settings) => sectionSchema(byFlag(settings)));
  const shared = Object.assign({}, ...Object.values(SECTIONS).reverse()) as Record<string, Setting<unknown>>;
  const top = Object.fromEntries(Object.entries(shared).map(([flag, setting]) => [flag, settingSchema(setting)]));
  const both = Object.entries(sections).map(([name, section]) => [name, top[name] ? { oneOf: [top[name], section] } : section]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Options of Forager',
    type: 'object',
    additionalProperties: false,
    properties: { ...top, ...Object.fromEntries(both) },
  };
}

function sectionSchema(section: Readonly<Record<string, Setting<unknown>>>): JsonSchema {
  const properties = Object.fromEntries(Object.entries(section).map(([flag, setting]) => [flag, settingSchema(setting)]));
  return { type: 'object', additionalProperties: false, properties };
}

function settingSchema({ kind, help }: Setting<unknown>): JsonSchema {
  return { description: help, ...kind.schema };
}

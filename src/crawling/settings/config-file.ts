/**
 * `forager.yaml`: options of commands in a file. A value at the top applies to each command that has the option. A section with a command's name applies to
 * that command and overrides the top. The command line overrides both.
 */
import * as z from 'zod';
import { DataError } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { type Environment, expanded, readYamlText } from '../../base/text/written-file.ts';
import { parseYamlFile } from '../../base/text/yaml-file.ts';
import { COMMANDS, type CommandName } from './commands.ts';
import type { JsonSchema, Kind } from './kinds.ts';
import { flagOf, helpOf, type OptionsOf, type Setting, type Settings, withoutSecrets } from './setting.ts';

/** A file with all options of all commands, and lists of a hundred URLs, has a hundredth of this size. */
const MAX_BYTES: Bytes = 1024 * 1024;

/** The file's value for one option. */
export interface Configured {
  /** Words as on the command line, with variables of the environment expanded. */
  readonly words: readonly string[];
  /** Words before expansion: safe to show. */
  readonly written: readonly string[];
  /** `file:line`. */
  readonly where: string;
}

const NO_VALUE = 'is not a text, number, true, false or list of texts';
const scalar = z.union([z.string(), z.number(), z.boolean()], NO_VALUE);
const value = z.union([scalar, z.array(z.union([z.string(), z.number()]))], NO_VALUE);

/** Each command, with its settings by their names in the file. */
const SECTIONS: Readonly<Record<CommandName, Readonly<Record<string, Setting<unknown>>>>> = byCommand(byFlag);

function byCommand<T>(of: (settings: Settings) => T): Readonly<Record<CommandName, T>> {
  return Object.fromEntries(Object.entries(COMMANDS).map(([name, settings]) => [name, of(settings)])) as Record<CommandName, T>;
}

function byFlag(settings: Settings): Readonly<Record<string, Setting<unknown>>> {
  return Object.fromEntries(Object.entries(settings).map(([name, setting]) => [flagOf(name, setting), setting]));
}

const KEYS = [...new Set([...Object.keys(SECTIONS), ...Object.values(SECTIONS).flatMap(Object.keys)])];

function optional(keys: readonly string[], schemaOf: (key: string) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(keys.map((key) => [key, schemaOf(key).nullish()]));
}

function sectionOf(key: string): z.ZodType | null {
  const section = Object.entries(SECTIONS).find(([name]) => name === key)?.[1];
  return section === undefined ? null : z.strictObject(optional(Object.keys(section), () => value)).nullable();
}

/** A name that is both an option and a command (`seeds`) means the command if its value is a mapping. */
function topSchemaOf(key: string): z.ZodType {
  const section = sectionOf(key);
  const isOption = Object.values(SECTIONS).some((options) => Object.hasOwn(options, key));
  if (section === null) return value;
  return isOption ? eitherOf(section) : section;
}

/** The shape of the value selects the check: options of a command, or a value. The errors of a union would name neither. */
function eitherOf(section: z.ZodType): z.ZodType {
  return z.unknown().check((payload) => {
    const schema = isSection(payload.value) ? section : value;
    for (const issue of schema.safeParse(payload.value).error?.issues ?? []) {
      const { path, message } = issue;
      if (issue.code === 'unrecognized_keys' && isSection(payload.value))
        payload.issues.push({ code: issue.code, keys: issue.keys, path, input: { ...payload.value } });
      else payload.issues.push({ code: 'custom', message, path, input: payload.value });
    }
  });
}

/** A file with comments alone sets nothing. */
const fileSchema = z.preprocess((content) => content ?? {}, z.strictObject(optional(KEYS, topSchemaOf)));

/** Keys that are allowed at a path. */
function keysAt([section]: readonly PropertyKey[]): readonly string[] {
  const found = Object.entries(SECTIONS).find(([name]) => name === section);
  return found ? Object.keys(found[1]) : KEYS;
}

const KIND = {
  keys: keysAt,
  remedy: 'correct it there; forager config --schema prints all keys and values that a file may have',
  secret: true,
} as const;

export class ConfigFile {
  readonly path: string;
  readonly #data: Readonly<Record<string, unknown>>;
  readonly #environment: Environment;
  readonly #whereOf: (path: readonly string[]) => string;

  /**
   * No error quotes a value of the file or of the environment.
   * @throws UsageError if it cannot be read; DataError with the line that is wrong
   */
  constructor(path: string, environment: Environment) {
    const file = parseYamlFile(readYamlText(path, MAX_BYTES, 'options', `--config ${path}`), path, fileSchema, KIND);
    this.path = path;
    this.#data = file.data;
    this.#environment = environment;
    this.#whereOf = file.whereOf;
  }

  /** Does the file set it? */
  has(command: CommandName, flag: string): boolean {
    return this.#placeOf(command, flag) !== null;
  }

  /** The file's value for an option of a command, by its name on the command line; null if absent. @throws DataError for an unset environment variable */
  valueOf(command: CommandName, flag: string): Configured | null {
    const path = this.#placeOf(command, flag);
    return path && this.#configured(this.#at(path), path, SECTIONS[command][flag]?.kind);
  }

  /** Place where the file sets a flag: the section of the command, that of the command it is part of, the top, or the section of the other command. */
  #placeOf(command: CommandName, flag: string): readonly string[] | null {
    const { local, elsewhere } = SECTIONS[command][flag] ?? {};
    const wider = command.includes(' ') ? [[command.slice(0, command.indexOf(' ')), flag], [flag]] : [[flag]];
    const places = [[command, flag], ...(local ? [] : wider), ...(elsewhere ? [[elsewhere.command, elsewhere.flag]] : [])];
    return places.find((path) => this.#at(path) != null) ?? null;
  }

  /** undefined for a section itself. */
  #at(path: readonly string[]): unknown {
    const content = path.reduce<unknown>((at, name) => (isSection(at) ? at[name] : undefined), this.#data);
    return isSection(content) ? undefined : content;
  }

  #configured(content: unknown, path: readonly string[], kind: Kind<unknown> | undefined): Configured {
    const where = this.#whereOf(path);
    const fault = (why: string) => new DataError(`${where}: ${path.join('.')}: ${why}`);
    const values = [value.parse(content)].flat();
    if (values.length === 0) throw fault('is an empty list; give a value, or omit it');
    const written = values.map((one) => wordOf(one, kind, fault));
    return { written, words: written.map((word) => expanded(word, this.#environment, fault)), where };
  }
}

/** The values of a file for a command, as options of the library. @throws DataError for an unset environment variable; UsageError for an invalid value */
export function configured<C extends CommandName>(file: ConfigFile, command: C): Partial<OptionsOf<(typeof COMMANDS)[C]>> {
  const rows = Object.entries(COMMANDS[command] as Settings).flatMap(([name, setting]) => {
    const flag = flagOf(name, setting);
    const given = file.valueOf(command, flag);
    return given === null ? [] : [[name, valueIn(given, flag, setting)] as const];
  });
  return Object.fromEntries(rows) as Partial<OptionsOf<(typeof COMMANDS)[C]>>;
}

function valueIn({ words, written, where }: Configured, flag: string, { kind }: Setting<unknown>): unknown {
  try {
    return kind.read(words, `${where}: ${flag}`);
  } catch (error) {
    throw withoutSecrets(error, words, written);
  }
}

/** Only an option with numeric or boolean values accepts numbers and booleans of YAML; a text option refuses them. @throws what `fault` makes */
function wordOf(content: string | number | boolean, kind: Kind<unknown> | undefined, fault: (why: string) => DataError): string {
  if (typeof content === 'boolean' && kind?.shape !== 'switch' && !kind?.formerSwitch)
    throw fault(`is ${content}, but the option is not a switch; put the value in quotes if you mean text`);
  if (typeof content === 'number' && (kind?.measure ?? null) === null)
    throw fault('is a number, but the option takes text; put the value in quotes');
  if (typeof content === 'number' && !Number.isSafeInteger(content) && Number.isInteger(content))
    throw fault('is too large; give a smaller number');
  return String(content);
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

function settingSchema(setting: Setting<unknown>): JsonSchema {
  const { former, kind } = setting;
  if (former !== undefined && !former.ifOn) return { description: `now the command ${former.command}`, deprecated: true, ...kind.schema };
  return { description: helpOf(setting), ...kind.schema };
}

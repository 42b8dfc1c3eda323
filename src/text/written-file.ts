/** Reads files written by people as text. Separate from the YAML parser, which is slow to load. */
import { readFileSync, statSync } from 'node:fs';
import { DataError, messageOf, UsageError } from '../core/errors.ts';
import type { Bytes } from '../core/types.ts';

/**
 * The text of a YAML file.
 * @param what its content, for errors: `field rules`.
 * @param name its name in errors
 * @throws UsageError for a file that cannot be read; DataError for one that is too large or not UTF-8
 */
export function readYamlText(path: string, maxBytes: Bytes, what: string, name = path): string {
  try {
    const { size } = statSync(path);
    if (size > maxBytes) throw new DataError(`${path}: ${size} bytes are too many for ${what}; the cap is ${maxBytes}`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof DataError) throw error;
    if (error instanceof TypeError) throw new DataError(`${path}: is not UTF-8 text; give a YAML file of ${what}`, { cause: error });
    throw new UsageError(`${name}: cannot be read (${messageOf(error)}); give a YAML file of ${what}`, { cause: error });
  }
}

/** The values that `${NAME}` may have. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A text with `${NAME}` replaced by its value in the environment; `$${` is an escaped `${`.
 * @param fault the error for a reason
 */
export function expanded(text: string, environment: Environment, fault: (why: string) => DataError): string {
  return text.replaceAll(/\$(\$?)\{([^}]*)\}/g, (whole, escaped: string, name: string) => {
    if (escaped !== '') return whole.slice(1);
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw fault('a name of the environment has to stand between the braces; two $ in front are for the characters themselves');
    const found = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (found) return found;
    throw fault(`${name} is not set in the environment; set it, or write the value there`);
  });
}

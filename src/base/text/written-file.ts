/** Reads files written by people as text. Separate from the YAML parser, which is slow to load. */
import { DataError } from '../core/errors.ts';
import type { Bytes } from '../core/types.ts';
import { readGivenFile } from './given-file.ts';

/**
 * The text of a YAML file.
 * @param what its content, for errors: `field rules`.
 * @param name its name in errors
 * @throws as `readGivenFile`; DataError for one that is not UTF-8
 */
export function readYamlText(path: string, maxBytes: Bytes, what: string, name = path): string {
  const bytes = readGivenFile(path, { maxBytes, what, name, remedy: `give a YAML file of ${what}` });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DataError(`${path}: is not UTF-8 text; give a YAML file of ${what}`, { cause: error });
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

/** Files of field rules: the user's, and a crawl's own copy. */
import { createHash } from 'node:crypto';
import { DamageError, messageOf } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { readYamlText } from '../../base/text/written-file.ts';
import type { FieldReader } from '../../reading/extract/field-reader.ts';
import type { CrawlManifest, CrawlPaths } from './crawl-directory.ts';

/** Rules for ten thousand sites take half of this. */
const MAX_BYTES: Bytes = 4 * 1024 * 1024;

/** A checked file of field rules. */
export interface FieldRulesFile {
  readonly reader: FieldReader;
  /** SHA-256 of the text, hex: it identifies the rules. */
  readonly sha256: string;
}

/**
 * The field rules of a YAML file, ready for use. Loads the YAML parser and the DOM, which nothing else needs.
 * @throws UsageError if there is no such file; DataError that names the wrong line
 */
export async function openFieldRules(path: string): Promise<FieldRulesFile> {
  const text = readYamlText(path, MAX_BYTES, 'field rules');
  const [{ parseFieldRules }, { FieldReader }] = await Promise.all([
    import('../../reading/extract/field-rules.ts'),
    import('../../reading/extract/field-reader.ts'),
  ]);
  return { reader: await FieldReader.open(parseFieldRules(text, path)), sha256: sha256(text) };
}

/**
 * Are the rules of a crawl still those it was started with? Runs before any page is read: the reading threads could only fail page after page.
 * @throws DataError
 */
export async function checkOwnFieldRules(paths: CrawlPaths, { fieldRules }: Pick<CrawlManifest, 'fieldRules'>): Promise<void> {
  if (fieldRules === null) return;
  const own = await openFieldRules(paths.fieldRules).catch((error: unknown) => {
    throw new DamageError(`${messageOf(error)}; this is the crawl's own copy; ${REMEDY}`, { cause: error });
  });
  if (own.sha256 !== fieldRules) throw new DamageError(`${paths.fieldRules}: was changed after the crawl started; ${REMEDY}`);
}

const REMEDY = 'restore the rules that the crawl was started with, or start a new crawl directory';

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Field rules as files: the user's, and a crawl's own copy. */
import { createHash } from 'node:crypto';
import { DamageError, messageOf } from '../core/errors.ts';
import type { Bytes } from '../core/types.ts';
import type { FieldReader } from '../extract/field-reader.ts';
import { readYamlText } from '../text/written-file.ts';
import type { CrawlManifest, CrawlPaths } from './crawl-directory.ts';

/** Rules for ten thousand sites are half of this. */
const MAX_BYTES: Bytes = 4 * 1024 * 1024;

/** A file of field rules, checked. */
export interface FieldRulesFile {
  readonly reader: FieldReader;
  /** Of the text, hex: which rules these are. */
  readonly sha256: string;
}

/**
 * The field rules of a YAML file, ready to be used. Loads the YAML parser and the DOM, which nothing else needs.
 * @throws UsageError when there is no such file; DataError naming the line that is wrong
 */
export async function openFieldRules(path: string): Promise<FieldRulesFile> {
  const text = readYamlText(path, MAX_BYTES, 'field rules');
  const [{ parseFieldRules }, { FieldReader }] = await Promise.all([
    import('../extract/field-rules.ts'),
    import('../extract/field-reader.ts'),
  ]);
  return { reader: await FieldReader.open(parseFieldRules(text, path)), sha256: sha256(text) };
}

/**
 * Are the rules of a crawl those it was begun with? Asked before any page is read: the reading threads could only fail page after page.
 * @throws DataError
 */
export async function checkOwnFieldRules(paths: CrawlPaths, { fieldRules }: Pick<CrawlManifest, 'fieldRules'>): Promise<void> {
  if (fieldRules === null) return;
  const own = await openFieldRules(paths.fieldRules).catch((error: unknown) => {
    throw new DamageError(`${messageOf(error)}; this is the crawl's own copy: ${REMEDY}`, { cause: error });
  });
  if (own.sha256 !== fieldRules) throw new DamageError(`${paths.fieldRules}: was changed since the crawl began; ${REMEDY}`);
}

const REMEDY = 'put the rules it was begun with there again, or start a new crawl directory';

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

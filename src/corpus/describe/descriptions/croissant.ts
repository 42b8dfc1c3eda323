import { CSV_FILE } from '../../formats/csv.ts';
import { CORPUS_FILE } from '../../formats/jsonl.ts';
import type { ColumnType, Member } from '../../select/corpus-columns.ts';
import type { CorpusFileFacts } from '../../select/harvest-facts.ts';
import { jsonOf } from '../../select/json-line.ts';
import type { DescribedCorpus, Description } from '../description.ts';
import { personalText } from '../personal-words.ts';
import { collectionText, limitationTexts, mediaTypeOf, parquetSplits } from '../publication.ts';
import { rightsSentence } from '../rights-words.ts';

const CONFORMS_TO = ['http://mlcommons.org/croissant/1.1', 'http://mlcommons.org/croissant/RAI/1.0'];

/** Terms of the vocabulary that Croissant adds to schema.org, without those that need a type (specification 1.1, appendix 1). */
const TERMS =
  'annotation arrayShape citeAs column containedIn equivalentProperty excludes extract field fileProperty fileObject fileSet format includes isArray isLiveDataset jsonPath key md5 parentField recordSet references regex readLines sdVersion separator source subField transform unArchive value';

const CONTEXT = {
  '@language': 'en',
  '@vocab': 'http://schema.org/',
  sc: 'http://schema.org/',
  cr: 'http://mlcommons.org/croissant/',
  rai: 'http://mlcommons.org/croissant/RAI/',
  dct: 'http://purl.org/dc/terms/',
  conformsTo: 'dct:conformsTo',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  examples: { '@id': 'cr:examples', '@type': '@json' },
  ...Object.fromEntries(TERMS.split(' ').map((term) => [term, `cr:${term}`])),
};

/** Croissant 1.1 of MLCommons with its vocabulary for responsible AI: files with hashes, and the columns of each table. */
export const croissant = {
  file: 'croissant.json',
  help: 'Croissant 1.1 of MLCommons: files, hashes and columns',
  content: (corpus) => `${jsonOf(datasetOf(corpus), 2)}\n`,
} as const satisfies Description;

function datasetOf(corpus: DescribedCorpus): object {
  const { card, publication } = corpus;
  const { title, abstract, creators, isNamed, url, date, version, keywords, languages } = publication;
  const stated = rightsSentence(card);
  return {
    '@context': CONTEXT,
    '@type': 'sc:Dataset',
    conformsTo: CONFORMS_TO,
    name: title,
    description: abstract,
    license: { '@type': 'sc:CreativeWork', name: 'Rights of the pages', description: card.licence },
    ...(stated !== null && {
      usageInfo: { '@type': 'sc:CreativeWork', name: 'Statements of the owners of the pages', description: stated },
    }),
    url,
    creator: creators.map((name) => ({ '@type': isNamed ? 'sc:Person' : 'sc:Organization', name })),
    datePublished: date,
    version,
    keywords,
    inLanguage: languages,
    citeAs: card.cite,
    isLiveDataset: false,
    'rai:dataCollection': collectionText(card),
    'rai:dataCollectionType': 'Web scraping',
    'rai:dataCollectionTimeframe': card.fetched === null ? [] : [card.fetched.first, card.fetched.last],
    'rai:dataLimitations': limitationTexts(card),
    'rai:personalSensitiveInformation': personalText(card),
    distribution: [...card.files.map(fileObject), ...textFiles(corpus)],
    recordSet: recordSets(corpus),
  };
}

/** `contentUrl` is relative to this file. */
function fileObject({ name, bytes, sha256 }: CorpusFileFacts): object {
  const encodingFormat = MLCROISSANT_TYPES[name.split('.').at(-1) ?? ''] ?? mediaTypeOf(name);
  return { '@type': 'cr:FileObject', '@id': name, name, contentUrl: name, contentSize: `${bytes} B`, encodingFormat, sha256 };
}

/** Names by which the reader of MLCommons knows these formats (mlcroissant, constants.py). */
const MLCROISSANT_TYPES: Readonly<Record<string, string>> = { jsonl: 'application/jsonlines', parquet: 'application/x-parquet' };

function textFiles({ card }: DescribedCorpus): object[] {
  if (card.textFiles === null) return [];
  return [{ '@type': 'cr:FileSet', '@id': 'text', name: 'text', encodingFormat: 'text/plain', includes: 'text/*.txt' }];
}

function recordSets({ card, columns, csvCells }: DescribedCorpus): object[] {
  const has = (name: string) => card.files.some((file) => file.name === name);
  const sets: object[] = [];
  for (const [split, files] of parquetSplits(card.files)) {
    const id = split === 'train' ? 'pages' : `pages-${split}`;
    const source = files.length === 1 ? { fileObject: { '@id': files[0] } } : { fileSet: { '@id': `${id}-files` } };
    sets.push(
      recordSet(
        id,
        columns.map((column) => field(id, column, parquetSource(source))),
      ),
    );
  }
  if (has(CORPUS_FILE)) {
    const source = { fileObject: { '@id': CORPUS_FILE } };
    sets.push(
      recordSet(
        'pages-jsonl',
        columns.map((column) => field('pages-jsonl', column, jsonSource(source))),
      ),
    );
  }
  if (has(CSV_FILE)) {
    const column = ({ name, type, help }: Omit<Member, 'nullable'>) => ({ name, nullable: true, help, type: flat(type) });
    const source: Source = ([name]) => ({ fileObject: { '@id': CSV_FILE }, extract: { column: name } });
    sets.push(
      recordSet(
        'pages-csv',
        csvCells.map((cell) => field('pages-csv', column(cell), source)),
      ),
    );
  }
  return sets;
}

/** Lists are JSON in a CSV file. */
function flat(type: ColumnType): ColumnType {
  return typeof type === 'object' ? 'json' : type;
}

function recordSet(id: string, fields: readonly object[]): object {
  return { '@type': 'cr:RecordSet', '@id': id, name: id, key: { '@id': `${id}/id` }, field: fields };
}

/** Gives the place of the value at a path of names: `['metadata', 'authors']`; `*` stands for each element of a list. */
type Source = (path: readonly [string, ...string[]]) => object;

/** Members of a structure are found in the value of its column. */
function parquetSource(source: object): Source {
  return ([column, ...members]) => ({
    ...source,
    extract: { column },
    ...(members.length > 0 && { transform: { jsonPath: jsonPath(members) } }),
  });
}

function jsonSource(source: object): Source {
  return (path) => ({ ...source, extract: { jsonPath: jsonPath(path) } });
}

function jsonPath(path: readonly string[]): string {
  return `$${path.map((part) => (part === '*' ? '[*]' : `.${part}`)).join('')}`;
}

const DATA_TYPES: Readonly<Record<Extract<ColumnType, string>, string>> = {
  string: 'sc:Text',
  text: 'sc:Text',
  timestamp: 'sc:DateTime',
  double: 'sc:Float',
  int32: 'sc:Integer',
  boolean: 'sc:Boolean',
  json: 'sc:Text',
};

function field(parent: string, member: Member, source: Source, path: readonly [string, ...string[]] = [member.name]): object {
  const id = `${parent}/${member.name}`;
  const [isArray, type] = typeof member.type === 'object' && 'list' in member.type ? [true, member.type.list] : [false, member.type];
  const inside = isArray ? ([...path, '*'] as const) : path;
  const members = typeof type === 'object' && 'struct' in type ? type.struct : [];
  return {
    '@type': 'cr:Field',
    '@id': id,
    name: id,
    description: member.help,
    ...(typeof type === 'string' && { dataType: DATA_TYPES[type] }),
    ...(isArray && { isArray: true, arrayShape: '-1' }),
    ...(members.length === 0 ? { source: source(path) } : {}),
    ...(members.length > 0 && { subField: members.map((one) => field(id, one, source, [...inside, one.name] as [string, ...string[]])) }),
  };
}

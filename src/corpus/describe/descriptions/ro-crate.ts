import type { CorpusFileFacts } from '../../select/harvest-facts.ts';
import { jsonOf } from '../../select/json-line.ts';
import type { CorpusCard } from '../corpus-card.ts';
import type { DescribedCorpus, Description } from '../description.ts';
import { collectionText, limitationTexts, mediaTypeOf, type Publication } from '../publication.ts';
import { rightsSentence } from '../rights-words.ts';

type Entity = Readonly<Record<string, unknown>> & { readonly '@id': string };

const CONTEXT = 'https://w3id.org/ro/crate/1.2/context';
const SPECIFICATION = 'https://w3id.org/ro/crate/1.2';
const FILE = 'ro-crate-metadata.json';
const FORAGER = '#forager';

/** RO-Crate 1.2: the files, and the crawl and the harvest as the actions that made them. Written last: it has the hashes of all other files. */
export const roCrate = {
  file: FILE,
  help: 'RO-Crate 1.2: all files, and how they were made',
  content: (corpus) => `${jsonOf({ '@context': CONTEXT, '@graph': graphOf(corpus) }, 2)}\n`,
} as const satisfies Description;

function graphOf({ card, publication, earlier }: DescribedCorpus): Entity[] {
  const files = [...card.files, ...earlier];
  const texts = card.textFiles === null ? [] : [textFolder(card.textFiles)];
  const parts = [...files.map(fileEntity), ...texts];
  const creators = creatorEntities(publication);
  const crawled = crawlEntities(card, creators);
  const harvested = harvestEntities(card, creators);
  const { title, abstract, date, keywords, languages, url } = publication;
  const stated = rightsSentence(card);
  return [
    { '@id': FILE, '@type': 'CreativeWork', conformsTo: { '@id': SPECIFICATION }, about: { '@id': './' } },
    {
      '@id': './',
      '@type': 'Dataset',
      name: title,
      description: [abstract, ...limitationTexts(card).slice(0, 1)].join(' '),
      datePublished: date,
      license: { '@id': '#rights' },
      ...(stated !== null && { usageInfo: { '@id': '#statements' } }),
      creator: refs(creators),
      keywords: keywords.join(', '),
      ...(languages.length > 0 && { inLanguage: languages }),
      ...(URL.canParse(url) && { url }),
      creditText: card.cite,
      hasPart: refs(parts),
      mentions: [{ '@id': '#crawl' }, { '@id': '#harvest' }],
    },
    { '@id': '#rights', '@type': 'CreativeWork', name: 'Rights of the pages', description: card.licence },
    ...(stated === null
      ? []
      : [{ '@id': '#statements', '@type': 'CreativeWork', name: 'Statements of the owners of the pages', description: stated }]),
    ...creators,
    softwareEntity(card),
    ...crawled,
    ...harvested,
    ...parts,
  ];
}

function refs(entities: readonly Entity[]): { readonly '@id': string }[] {
  return entities.map((entity) => ({ '@id': entity['@id'] }));
}

function fileEntity({ name, bytes, sha256 }: CorpusFileFacts): Entity {
  return { '@id': encodeURI(name), '@type': 'File', name, contentSize: String(bytes), encodingFormat: mediaTypeOf(name), sha256 };
}

function textFolder({ count, bytes }: NonNullable<CorpusCard['textFiles']>): Entity {
  return {
    '@id': 'text/',
    '@type': 'Dataset',
    name: 'text',
    description: `${count} text files with ${bytes} bytes; text/index.tsv has the hash of each`,
  };
}

function creatorEntities({ creators, isNamed }: Publication): Entity[] {
  return creators.map((name, i) => ({ '@id': `#creator-${i + 1}`, '@type': isNamed ? 'Person' : 'Organization', name }));
}

function softwareEntity({ crawl: { software } }: CorpusCard): Entity {
  const [name = software, version = ''] = software.split('/');
  return { '@id': FORAGER, '@type': 'SoftwareApplication', name, ...(version !== '' && { version }) };
}

/** The seeds, the topic model and the settings are the objects of the crawl. */
function crawlEntities({ crawl, topic, topics = [], ...card }: CorpusCard, agents: readonly Entity[]): Entity[] {
  const seeds = [...new Set(crawl.seeds)].map((url): Entity => ({ '@id': url, '@type': 'WebPage', name: url }));
  const models = (topics.length === 0 ? [topic] : topics).map(
    ({ name, modelId }): Entity => ({
      '@id': `#model-${modelId}`,
      '@type': 'CreativeWork',
      name: `topic model of “${name}”`,
      identifier: modelId,
    }),
  );
  const settings = {
    strategy: crawl.strategy,
    threshold: topic.threshold,
    'budget of visits': crawl.budget.pages,
    'budget of milliseconds': crawl.budget.ms,
    'robots.txt': crawl.robots,
    'user agent': crawl.userAgent,
    'delay in milliseconds': crawl.politeness?.delay ?? null,
    'delay factor': crawl.politeness?.delayFactor ?? null,
  };
  const values = propertyValues('crawl', settings);
  const [first, last] = [crawl.runs[0], crawl.runs.at(-1)];
  return [
    {
      '@id': '#crawl',
      '@type': 'CreateAction',
      name: 'Focused crawl',
      description: collectionText({ crawl, topic, topics, ...card }),
      ...(first && { startTime: first.startedAt }),
      ...(last?.endedAt && { endTime: last.endedAt }),
      instrument: { '@id': FORAGER },
      agent: refs(agents),
      object: refs([...seeds, ...models, ...values]),
      result: { '@id': './' },
    },
    ...seeds,
    ...models,
    ...values,
  ];
}

function harvestEntities({ harvest, records }: CorpusCard, agents: readonly Entity[]): Entity[] {
  const filters = Object.entries(harvest.filters).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  const omitted = Object.entries(records.leftOut).map(([reason, pages]): [string, unknown] => [`omitted: ${reason}`, pages]);
  const values = propertyValues('harvest', Object.fromEntries([...filters, ['formats', harvest.formats.join(', ')], ...omitted]));
  return [
    {
      '@id': '#harvest',
      '@type': 'CreateAction',
      name: 'Harvest',
      description: `${records.kept} of ${records.read} kept pages`,
      endTime: harvest.at,
      instrument: { '@id': FORAGER },
      agent: refs(agents),
      object: refs(values),
      result: { '@id': './' },
    },
    ...values,
  ];
}

/** Entities of those values that are there. */
function propertyValues(of: string, values: Readonly<Record<string, unknown>>): Entity[] {
  return Object.entries(values).flatMap(([name, value]): Entity[] => {
    if (value === null || value === '') return [];
    return [
      {
        '@id': `#${of}-${encodeURIComponent(name)}`,
        '@type': 'PropertyValue',
        name,
        value: typeof value === 'object' ? JSON.stringify(value) : value,
      },
    ];
  });
}

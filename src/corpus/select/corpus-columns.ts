/**
 * The columns of a corpus, for every format that is a table. Names and nesting are those of `corpus.jsonl`, so that one query works on all of them.
 * To add a column, add its key to `HarvestedPage` and a row here.
 */
import type { RenderCost, RenderingRecords } from '../../base/core/rendering.ts';
import type {
  Alternate,
  ApiDescription,
  CorpusRecord,
  CreditSources,
  PageDocument,
  PageMetadata,
  PageProduct,
  Post,
  ProductOffer,
  ProductProperty,
  Reservation,
  RightsStatement,
  TopicJudgement,
  Use,
} from '../../base/core/types.ts';
import type { PersonalKind } from '../personal/personal-names.ts';
import type { HarvestedPage } from './harvested-page.ts';

/** `text` is a long string; `json` is any value, as JSON. A list holds no null. */
export type ColumnType =
  | 'string'
  | 'text'
  | 'timestamp'
  | 'double'
  | 'int32'
  | 'boolean'
  | 'json'
  | { readonly list: ColumnType }
  | { readonly struct: readonly Member[] };

/** A column, or a member of a structure. */
export interface Member {
  readonly name: string;
  readonly type: ColumnType;
  /** May its value be null or absent? */
  readonly nullable: boolean;
  /** Content of the member, in a few words, for descriptions of the corpus. */
  readonly help: string;
}

export interface Column extends Member {
  readonly name: keyof HarvestedPage;
  /** Does it appear only in a harvest that has such values? */
  readonly optional?: true;
}

type Row<T extends Member = Member> = Omit<T, 'name' | 'nullable'> & { readonly nullable?: true };

/** Every key has a row: the compiler refuses a missing one. */
function members<Key extends string>(rows: Readonly<Record<Key, Row>>): readonly Member[] {
  return Object.entries<Row>(rows).map(([name, row]) => ({ nullable: false, ...row, name }));
}

const STRINGS = { list: 'string' } as const;

const ALTERNATE = members<keyof Alternate>({
  lang: { type: 'string', help: 'BCP 47 code of the other version, or x-default' },
  url: { type: 'string', help: 'its URL' },
});

const METADATA = members<keyof PageMetadata>({
  canonical: { type: 'string', nullable: true, help: 'declared canonical URL' },
  description: { type: 'string', nullable: true, help: 'declared description' },
  authors: { type: STRINGS, help: 'names of the authors, as written' },
  siteName: { type: 'string', nullable: true, help: 'declared name of the site' },
  published: { type: 'string', nullable: true, help: 'declared date of publication, ISO 8601' },
  modified: { type: 'string', nullable: true, help: 'declared date of the last change, ISO 8601' },
  licences: { type: STRINGS, help: 'URLs of the declared licences' },
  rights: { type: 'string', nullable: true, help: 'statement of rights, in words' },
  alternates: { type: { list: { struct: ALTERNATE } }, help: 'versions in other languages' },
  robots: { type: STRINGS, help: 'directives for crawlers' },
});

const JUDGEMENT = members<keyof TopicJudgement>({
  name: { type: 'string', help: 'name of the topic' },
  modelId: { type: 'string', help: 'hash of its model' },
  relevance: { type: 'double', help: 'probability that the page is on this topic' },
  threshold: { type: 'double', help: 'least relevance on this topic' },
  onTopic: { type: 'boolean', help: 'is the relevance at or above the threshold?' },
});

const RESERVATION = members<keyof Reservation>({
  reserved: { type: 'boolean', help: 'are the rights to mine the page reserved?' },
  by: { type: 'string', help: 'source of the statement: meta, header, file or noai' },
  policy: { type: 'string', nullable: true, help: 'URL that explains how to obtain the rights' },
});

const STATED_USES = members<Use>({
  'train-ai': { type: 'string', nullable: true, help: 'allow or disallow: training of models that generate' },
  'ai-input': { type: 'string', nullable: true, help: 'allow or disallow: input of such models' },
  search: { type: 'string', nullable: true, help: 'allow or disallow: search' },
  mining: { type: 'string', nullable: true, help: 'allow or disallow: text and data mining' },
});

const RIGHTS = members<keyof RightsStatement>({
  protocol: { type: 'string', help: 'content-usage, content-signal, rsl, tdm, noai, cc or license' },
  from: { type: 'string', help: 'header, robots, file, meta, link, script, data or text' },
  statement: { type: 'string', help: 'its words, as written' },
  path: { type: 'string', nullable: true, help: 'pattern of the paths to which it applies' },
  fetchedAt: { type: 'string', help: 'time of the request for the file that has it, ISO 8601' },
  understood: { type: 'boolean', help: 'are its words known? Others count as none' },
  uses: { type: { struct: STATED_USES }, help: 'its sense, by use' },
});

const CREDIT_SOURCES = members<keyof CreditSources>({
  authors: { type: 'string', nullable: true, help: 'rel or text; null if stated, or unknown' },
  published: { type: 'string', nullable: true, help: 'time, text or url; null if stated, or unknown' },
  modified: { type: 'string', nullable: true, help: 'time, text or http; null if stated, or unknown' },
});

const PRODUCT_PROPERTY = members<keyof ProductProperty>({
  name: { type: 'string', help: 'name of the property' },
  value: { type: 'string', help: 'its value, as written' },
  unit: { type: 'string', nullable: true, help: 'unit, if stated apart from the value' },
});

const PRODUCT_OFFER = members<keyof ProductOffer>({
  name: { type: 'string', nullable: true, help: 'name of the variant' },
  sku: { type: 'string', nullable: true, help: 'number of the variant' },
  price: { type: 'double', nullable: true, help: 'price' },
  lowPrice: { type: 'double', nullable: true, help: 'least price of a range' },
  highPrice: { type: 'double', nullable: true, help: 'greatest price of a range' },
  currency: { type: 'string', nullable: true, help: 'ISO 4217 code of the currency' },
  availability: { type: 'string', nullable: true, help: 'availability by its name in schema.org, e.g. InStock' },
  condition: { type: 'string', nullable: true, help: 'condition by its name in schema.org, e.g. UsedCondition' },
  seller: { type: 'string', nullable: true, help: 'name of the seller' },
  url: { type: 'string', nullable: true, help: 'URL of the offer' },
});

const PRODUCT = members<keyof PageProduct>({
  name: { type: 'string', nullable: true, help: 'name of the product' },
  description: { type: 'string', nullable: true, help: 'its description' },
  brand: { type: 'string', nullable: true, help: 'name of its brand' },
  sku: { type: 'string', nullable: true, help: 'number of the seller' },
  gtin: { type: 'string', nullable: true, help: 'GTIN, EAN, UPC or ISBN' },
  mpn: { type: 'string', nullable: true, help: 'number of the manufacturer' },
  category: { type: 'string', nullable: true, help: 'category, as stated' },
  properties: { type: { list: { struct: PRODUCT_PROPERTY } }, nullable: true, help: 'pairs of its specification' },
  offers: { type: { list: { struct: PRODUCT_OFFER } }, nullable: true, help: 'offers with their prices' },
  sources: { type: STRINGS, help: 'sources: json-ld, microdata, rdfa, meta, text' },
});

const POST = members<keyof Post>({
  author: { type: 'string', nullable: true, help: 'name of its author, as the page shows it' },
  published: { type: 'string', nullable: true, help: 'its date, ISO 8601' },
  text: { type: 'string', help: 'its text; lines of quotes begin with >' },
  depth: { type: 'int32', help: '0 for the opening post, 1 for a reply to it' },
  url: { type: 'string', nullable: true, help: 'its address' },
});

const OPERATION = members<keyof ApiDescription['operations'][number]>({
  method: { type: 'string', help: 'method of HTTP, or the word of the description' },
  path: { type: 'string', help: 'path, or name of the operation' },
  summary: { type: 'string', nullable: true, help: 'its summary' },
});

const API = members<keyof ApiDescription>({
  name: { type: 'string', help: 'name of the service' },
  version: { type: 'string', nullable: true, help: 'its version' },
  operations: { type: { list: { struct: OPERATION } }, help: 'its operations' },
  endpoints: { type: STRINGS, help: 'its addresses, as written' },
});

const DOCUMENT = members<keyof PageDocument>({
  kind: { type: 'string', help: 'pdf, epub, docx, odt, openapi, wsdl or feed' },
  pages: { type: 'int32', nullable: true, help: 'number of its pages' },
  declaredTitle: { type: 'string', nullable: true, help: 'title of its metadata, as written' },
  producer: { type: 'string', nullable: true, help: 'program that wrote it' },
  language: { type: 'string', nullable: true, help: 'declared language, BCP 47' },
  pageOffsets: { type: { list: 'int32' }, help: 'offset in text at which each page begins, in UTF-16 units' },
  cut: { type: 'boolean', help: 'did a limit of size omit the rest?' },
  api: { type: { struct: API }, nullable: true, help: 'description of a service' },
  items: { type: 'int32', nullable: true, help: 'number of items of a feed' },
});

const PERSONAL = members<PersonalKind>({
  mail: { type: 'int32', help: 'mail addresses' },
  phone: { type: 'int32', help: 'telephone numbers' },
  iban: { type: 'int32', help: 'bank accounts (IBAN)' },
  card: { type: 'int32', help: 'numbers of payment cards' },
  ip: { type: 'int32', help: 'IP addresses' },
  id: { type: 'int32', help: 'national identity numbers' },
});

const RENDERED = members<keyof RenderCost>({
  ms: { type: 'double', help: 'time of the rendering, in milliseconds' },
  requests: { type: 'int32', help: 'requests that were sent for it' },
  bytes: { type: 'double', help: 'bytes of their responses, as they came' },
});

const RENDERING = members<keyof RenderingRecords>({
  document: { type: 'string', help: 'id of the rendered document' },
  resources: { type: STRINGS, help: 'ids of the responses that its scripts got' },
});

/** Columns in the order of `corpus.jsonl`. */
const COLUMNS: Readonly<Record<keyof HarvestedPage, Row<Column>>> = {
  id: { type: 'string', help: 'id of the page in all files, and of its WARC response record' },
  url: { type: 'string', help: 'canonical URL' },
  fetchedAt: { type: 'timestamp', help: 'start of the request, UTC' },
  title: { type: 'string', help: 'title of the page' },
  text: { type: 'text', help: 'main text' },
  otherText: { type: 'text', nullable: true, optional: true, help: 'visible text outside the main text' },
  lang: { type: 'string', help: 'code of the declared or detected language, e.g. en; und if unknown' },
  relevance: { type: 'double', help: 'probability that the page is on topic, by the model' },
  threshold: { type: 'double', help: 'least relevance on topic' },
  modelId: { type: 'string', help: 'hash of the topic model' },
  topics: { type: { list: { struct: JUDGEMENT } }, nullable: true, optional: true, help: 'judgement of each topic' },
  depth: { type: 'int32', help: 'hops from the nearest seed' },
  referrer: { type: 'string', nullable: true, help: 'page on which the crawl found the URL' },
  anchorText: { type: 'string', help: 'visible text of that link' },
  payloadSha256: { type: 'string', help: 'SHA-256 of the decoded payload, hex' },
  metadata: { type: { struct: METADATA }, help: 'statements of the page about itself' },
  fields: { type: 'json', help: 'values of the field rules, by field name' },
  tags: { type: STRINGS, nullable: true, optional: true, help: 'tags that hooks gave the page' },
  reservation: { type: { struct: RESERVATION }, nullable: true, optional: true, help: 'reservation of the rights to mine the page' },
  rights: {
    type: { list: { struct: RIGHTS } },
    nullable: true,
    optional: true,
    help: 'statements of the page and its host about rights and use, as written',
  },
  creditSources: {
    type: { struct: CREDIT_SOURCES },
    nullable: true,
    optional: true,
    help: 'places of authors and dates that the page does not state',
  },
  product: { type: { struct: PRODUCT }, nullable: true, optional: true, help: 'the product that the page is about' },
  textSource: { type: 'string', nullable: true, optional: true, help: 'json-ld or microdata, if the page does not show its text' },
  posts: { type: { list: { struct: POST } }, nullable: true, optional: true, help: 'posts of a thread, in the order of the page' },
  document: { type: { struct: DOCUMENT }, nullable: true, optional: true, help: 'statements of a PDF or another document about itself' },
  rendered: { type: { struct: RENDERED }, nullable: true, optional: true, help: 'cost of the rendering, if the text is from it' },
  rendering: {
    type: { struct: RENDERING },
    nullable: true,
    optional: true,
    help: 'WARC records of the rendering, apart from the response',
  },
  certificate: { type: 'string', nullable: true, optional: true, help: 'reason why the TLS certificate of the host is not valid' },
  changedFrom: {
    type: 'string',
    nullable: true,
    optional: true,
    help: 'id of the page in the corpus of --since, which has another text',
  },
  alternateOf: {
    type: 'string',
    nullable: true,
    optional: true,
    help: 'URL of the kept page of which this is an alternate, in a language that the model cannot read; the relevance is of that page',
  },
  langTag: { type: 'string', nullable: true, optional: true, help: 'declared language with its region or script, BCP 47, e.g. en-US' },
  copies: { type: 'int32', nullable: true, optional: true, help: 'near-duplicates that the page represents, itself included' },
  repeated: { type: 'json', nullable: true, optional: true, help: 'paragraphs that other pages have too, as ranges of text' },
  foreign: { type: 'json', nullable: true, optional: true, help: 'paragraphs in another language, as ranges of text with the language' },
  personal: { type: { struct: PERSONAL }, nullable: true, optional: true, help: 'personal data of the page by kind, masked or not' },
  personalRanges: { type: 'json', nullable: true, optional: true, help: 'personal data or its masks, as ranges of text with the kind' },
  quality: { type: 'json', nullable: true, optional: true, help: 'measures of the text and failed rules, by rule set' },
  weight: { type: 'double', nullable: true, optional: true, help: 'pages that the page represents in a sample' },
  frameWeight: { type: 'double', nullable: true, optional: true, help: 'weight that evens out the bias against a frame' },
  keptInRuns: { type: 'int32', nullable: true, optional: true, help: 'repeated runs of the crawl that keep the page' },
  split: { type: 'string', nullable: true, optional: true, help: 'train, validation or test' },
  version: { type: 'int32', nullable: true, optional: true, help: 'number of the version of the page, from 1' },
  gone: { type: 'timestamp', nullable: true, optional: true, help: 'time since which the URL gives no page, UTC' },
  pageRank: { type: 'double', nullable: true, optional: true, help: 'PageRank in the graph of the links between the pages of the corpus' },
  corpus: { type: 'string', nullable: true, optional: true, help: 'corpus that the page comes from, of those that were merged' },
};

/** The columns of one harvest. */
export interface HarvestColumns {
  readonly columns: readonly Column[];
  /** Names of the fields of the crawl's field rules, sorted: the members of the column `fields`. */
  readonly fieldNames: readonly string[];
}

/** Finds the columns of a harvest in a first pass over its records. Memory: the names. */
export class ColumnsSeen {
  readonly #names = new Set<string>();
  readonly #fields = new Set<string>();

  see(record: CorpusRecord): void {
    for (const name in record) if (record[name as keyof CorpusRecord] !== undefined) this.#names.add(name);
    for (const name in record.fields) this.#fields.add(name);
  }

  /** @param added columns that filters add to the pages they keep */
  columns(added: Iterable<keyof HarvestedPage>): HarvestColumns {
    const names = new Set([...this.#names, ...added]);
    const columns = Object.entries(COLUMNS)
      .map(([name, row]): Column => ({ nullable: false, ...row, name: name as keyof HarvestedPage }))
      .filter(({ name, optional }) => optional !== true || names.has(name));
    return { columns, fieldNames: [...this.#fields].sort() };
  }
}

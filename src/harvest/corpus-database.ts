/**
 * The SQLite file of a corpus: its tables, and how rows get into them. `pages` has a column for each field of a page, with JSON for nested values; `links`
 * has the links of the pages; `search` is the full-text index (FTS5) of titles and texts, and of the stems of their words; `corpus` has facts about the
 * whole.
 */
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import type { Database, Statement } from 'node-sqlite3-wasm';
import { storeErrorFrom } from '../core/errors.ts';
import type { RecordId } from '../core/types.ts';
import { withWordBreaks } from '../text/word-breaks.ts';
import type { LinkRow } from './corpus-links.ts';
import type { HarvestedPage } from './harvested-page.ts';
import { Stems } from './stems.ts';

export const DATABASE_FILE = 'corpus.sqlite';
/** Version of the tables, as `PRAGMA user_version`. */
export const DATABASE_VERSION = 1;
/** Rows of one transaction. */
const BATCH = 1000;
/** Columns beyond those of a record, which filters add. SQLite has at most 2,000. */
const MAX_ADDED_COLUMNS = 500;
const ADDED_NAME = /^[A-Za-z][\w.]*$/;

type Value = string | number | null;
type Column = readonly [name: string, type: string, of: (page: HarvestedPage) => Value];

const COLUMNS: readonly Column[] = [
  ['id', 'TEXT NOT NULL UNIQUE', ({ id }) => id],
  ['url', 'TEXT NOT NULL UNIQUE', ({ url }) => url],
  ['host', 'TEXT NOT NULL', ({ url }) => new URL(url).host],
  ['fetchedAt', 'TEXT NOT NULL', ({ fetchedAt }) => fetchedAt],
  ['title', 'TEXT NOT NULL', ({ title }) => storable(title)],
  ['text', 'TEXT NOT NULL', ({ text }) => storable(text)],
  ['otherText', 'TEXT', ({ otherText }) => (otherText === undefined ? null : storable(otherText))],
  ['lang', 'TEXT NOT NULL', ({ lang }) => storable(lang)],
  ['relevance', 'REAL NOT NULL', ({ relevance }) => relevance],
  ['threshold', 'REAL NOT NULL', ({ threshold }) => threshold],
  ['modelId', 'TEXT NOT NULL', ({ modelId }) => modelId],
  ['topics', 'TEXT', ({ topics }) => json(topics)],
  ['depth', 'INTEGER NOT NULL', ({ depth }) => depth],
  ['referrer', 'TEXT', ({ referrer }) => referrer],
  ['anchorText', 'TEXT NOT NULL', ({ anchorText }) => storable(anchorText)],
  ['payloadSha256', 'TEXT NOT NULL', ({ payloadSha256 }) => payloadSha256],
  ['metadata', 'TEXT NOT NULL', ({ metadata }) => json(metadata)],
  ['fields', 'TEXT NOT NULL', ({ fields }) => json(fields)],
  ['reservation', 'TEXT', ({ reservation }) => json(reservation)],
  ['certificate', 'TEXT', ({ certificate }) => (certificate === undefined ? null : storable(certificate))],
  ['pageRank', 'REAL', ({ pageRank }) => pageRank ?? null],
  ['corpus', 'TEXT', ({ corpus }) => (corpus === undefined ? null : storable(corpus))],
  // JSON of fields that have no column of their own.
  ['more', 'TEXT', () => null],
  // For the index: null where they would equal title and text.
  ['titleWords', 'TEXT', ({ title }) => withWordBreaks(storable(title))],
  ['textWords', 'TEXT', ({ text }) => withWordBreaks(storable(text))],
];
const NAMES: ReadonlySet<string> = new Set(['n', ...COLUMNS.map(([name]) => name)].map((name) => name.toLowerCase()));

/**
 * Marks belong to words, as vowels of Thai, Khmer and Hindi do: without them, the tokenizer would cut there. Diacritics of Latin letters are removed. The
 * index reads `indexed` where it shows text; it does not keep a copy.
 */
const SCHEMA = `
  PRAGMA user_version = ${DATABASE_VERSION};
  CREATE TABLE corpus (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE pages (n INTEGER PRIMARY KEY, ${COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ')});
  CREATE TABLE links (
    page INTEGER NOT NULL REFERENCES pages(n), target TEXT NOT NULL, targetPage INTEGER REFERENCES pages(n),
    anchorText TEXT NOT NULL, rel TEXT NOT NULL, nofollow INTEGER NOT NULL, zone TEXT NOT NULL
  );
  CREATE INDEX links_page ON links(page);
  CREATE INDEX links_targetPage ON links(targetPage) WHERE targetPage IS NOT NULL;
  CREATE VIEW indexed AS
    SELECT n, coalesce(titleWords, title) AS title, coalesce(textWords, text) AS text, NULL AS stems FROM pages;
  CREATE VIRTUAL TABLE search USING fts5(
    title, text, stems, content='indexed', content_rowid='n',
    tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
  );
  INSERT INTO search(search, rank) VALUES ('rank', 'bm25(4.0, 1.0, 0.5)');
`;

/** A database file that is being written. Nobody else may open it: it has neither journal nor locks until it is finished. */
export class CorpusDatabase {
  readonly #path: string;
  readonly #db: Database;
  readonly #stems: Stems;
  readonly #stemmed = new Set<string>();
  readonly #numbers = new Map<RecordId, number>();
  readonly #added = new Map<string, string>();
  #page: Statement;
  readonly #index: Statement;
  readonly #link: Statement;
  #waiting = 0;
  #links = 0;

  private constructor(path: string, db: Database, stems: Stems) {
    this.#path = path;
    this.#db = db;
    this.#stems = stems;
    this.#page = this.#pageStatement();
    this.#index = db.prepare('INSERT INTO search(rowid, title, text, stems) VALUES (?, ?, ?, ?)');
    this.#link = db.prepare('INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?)');
  }

  /** A new file. Loads SQLite, 1.3 MB. @throws StoreError */
  static async create(path: string): Promise<CorpusDatabase> {
    const { default: sqlite } = await import('node-sqlite3-wasm');
    let db: Database | null = null;
    try {
      db = new sqlite.Database(path);
      // The file is incomplete until it is finished, and is thrown away if it is not. 16 MB of cache.
      db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16000');
      db.exec(SCHEMA);
      return new CorpusDatabase(path, db, Stems.load());
    } catch (error) {
      db?.close();
      throw storeErrorFrom(error, 'making the database', path);
    }
  }

  /** O(text of the page). @throws StoreError */
  addPage(page: HarvestedPage): void {
    this.#write(() => {
      const n = this.#numbers.size + 1;
      const more: Record<string, unknown> = {};
      const added = new Map<string, Value>();
      for (const [name, value] of Object.entries(page)) {
        if (NAMES.has(name.toLowerCase()) || value === undefined) continue;
        if (this.#hasColumn(name)) added.set(name, columnValue(value));
        else more[name] = value;
      }
      const values = COLUMNS.map(([name, , of]) => (name === 'more' && Object.keys(more).length > 0 ? JSON.stringify(more) : of(page)));
      this.#page.run([n, ...values, ...[...this.#added.values()].map((name) => added.get(name) ?? null)]);
      const [title, text] = [values[TITLE_WORDS] ?? values[TITLE] ?? '', values[TEXT_WORDS] ?? values[TEXT] ?? ''];
      this.#index.run([n, title, text, this.#stemsOf(page)]);
      this.#numbers.set(page.id, n);
    });
  }

  /** After the pages. @throws StoreError */
  addLink({ id, target, targetId, anchorText, rel, nofollow, zone }: LinkRow): void {
    this.#write(() => {
      const targetPage = targetId === null ? null : (this.#numbers.get(targetId) ?? null);
      const words = [storable(anchorText), JSON.stringify(rel)];
      this.#link.run([this.#numbers.get(id) ?? 0, target, targetPage, ...words, nofollow ? 1 : 0, zone]);
      this.#links++;
    });
  }

  /** Completes the index, writes everything to disk and closes. @throws StoreError */
  finish(facts: Readonly<Record<string, string>>): void {
    this.#write(() => {
      const counts = { pages: String(this.#numbers.size), links: String(this.#links), stemmed: [...this.#stemmed].sort().join(',') };
      for (const [key, value] of Object.entries({ ...facts, ...counts })) this.#db.run('INSERT INTO corpus VALUES (?, ?)', [key, value]);
    });
    try {
      this.#commit();
      this.#db.exec("INSERT INTO search(search) VALUES ('optimize')");
      this.close();
      const file = openSync(this.#path, 'r+');
      fdatasyncSync(file);
      closeSync(file);
    } catch (error) {
      throw storeErrorFrom(error, 'finishing the database', this.#path);
    }
  }

  /** Closes without finishing; after `finish` it does nothing. */
  close(): void {
    if (!this.#db.isOpen) return;
    for (const statement of [this.#page, this.#index, this.#link]) statement.finalize();
    this.#db.close();
  }

  #write(step: () => void): void {
    try {
      if (this.#waiting === 0) this.#db.exec('BEGIN');
      step();
      this.#waiting++;
      if (this.#waiting === BATCH) this.#commit();
    } catch (error) {
      throw storeErrorFrom(error, 'writing the database', this.#path);
    }
  }

  #commit(): void {
    if (this.#waiting > 0) this.#db.exec('COMMIT');
    this.#waiting = 0;
  }

  #stemsOf({ lang, title, text }: HarvestedPage): string {
    const language = Stems.languageOf(lang);
    if (language === null) return '';
    this.#stemmed.add(language);
    return this.#stems.otherThanWords(`${title}\n${text}`, language);
  }

  /** Adds a column if there is none. SQLite takes upper and lower case for the same name. */
  #hasColumn(name: string): boolean {
    const known = this.#added.get(name.toLowerCase());
    if (known !== undefined) return known === name;
    if (this.#added.size >= MAX_ADDED_COLUMNS || !ADDED_NAME.test(name)) return false;
    this.#db.exec(`ALTER TABLE pages ADD COLUMN "${name}"`);
    this.#added.set(name.toLowerCase(), name);
    this.#page.finalize();
    this.#page = this.#pageStatement();
    return true;
  }

  #pageStatement(): Statement {
    return this.#db.prepare(
      `INSERT INTO pages VALUES (${Array(1 + COLUMNS.length + this.#added.size)
        .fill('?')
        .join(', ')})`,
    );
  }
}

const placeOf = (wanted: string) => COLUMNS.findIndex(([name]) => name === wanted);
const [TITLE, TEXT, TITLE_WORDS, TEXT_WORDS] = ['title', 'text', 'titleWords', 'textWords'].map(placeOf) as [
  number,
  number,
  number,
  number,
];

/** SQLite ends a text at a NUL, and UTF-8 has no lone surrogates: both become U+FFFD, as HTML has it. */
function storable(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\ufffd');
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** Of a column that a filter adds. */
function columnValue(value: unknown): Value {
  if (typeof value === 'string') return storable(value);
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value === null ? null : JSON.stringify(value);
}

/**
 * The SQLite file of a corpus: its tables, and how rows get into them. `pages` has a column for each field of a page, with JSON for nested values; `links`
 * has the links of the pages; `search` is the full-text index (FTS5) of titles and texts, and of the stems of their words; `corpus` has facts about the
 * whole.
 */
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import type { Database, Statement } from 'node-sqlite3-wasm';
import { storeErrorFrom } from '../../base/core/errors.ts';
import type { RecordId } from '../../base/core/types.ts';
import { withWordBreaks } from '../../base/text/word-breaks.ts';
import type { Column, ColumnType } from '../select/corpus-columns.ts';
import type { LinkRow } from '../select/corpus-links.ts';
import type { HarvestedPage } from '../select/harvested-page.ts';
import { jsonOf } from '../select/json-line.ts';
import { Stems } from './stems.ts';

export const DATABASE_FILE = 'corpus.sqlite';
/** Version of the tables, as `PRAGMA user_version`. */
export const DATABASE_VERSION = 1;
/** Rows of one transaction. */
const BATCH = 1000;
type Value = string | number | null;
/** A column of the table `pages`. */
interface PageColumn {
  readonly name: string;
  readonly type: string;
  of(page: HarvestedPage): Value;
}

/** Columns of the corpus, and the words for the index: null where they would equal title and text. */
function pageColumns(columns: readonly Column[]): readonly PageColumn[] {
  const unique = new Set<string>(columns.some(({ name }) => name === 'version') ? ['id'] : ['id', 'url']);
  return [
    ...columns.map((column) => ({
      name: column.name,
      type: `${sqlType(column.type)}${column.nullable ? '' : ' NOT NULL'}${unique.has(column.name) ? ' UNIQUE' : ''}`,
      of: (page: HarvestedPage) => storedValue(page[column.name]),
    })),
    { name: 'host', type: 'TEXT NOT NULL', of: ({ url }) => new URL(url).host },
    { name: 'titleWords', type: 'TEXT', of: ({ title }) => withWordBreaks(storable(title)) },
    { name: 'textWords', type: 'TEXT', of: ({ text }) => withWordBreaks(storable(text)) },
  ];
}

/** Nested values are JSON. */
function sqlType(type: ColumnType): string {
  if (type === 'double') return 'REAL';
  return type === 'int32' || type === 'boolean' ? 'INTEGER' : 'TEXT';
}

/**
 * Marks belong to words, as vowels of Thai, Khmer and Hindi do: without them, the tokenizer would cut there. Diacritics of Latin letters are removed. The
 * index reads `indexed` where it shows text; it does not keep a copy.
 */
const schemaOf = (columns: readonly PageColumn[]) => `
  PRAGMA user_version = ${DATABASE_VERSION};
  CREATE TABLE corpus (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE pages (n INTEGER PRIMARY KEY, ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')});
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
  readonly #columns: readonly PageColumn[];
  readonly #page: Statement;
  readonly #index: Statement;
  readonly #link: Statement;
  #links = 0;
  #waiting = 0;

  private constructor(path: string, db: Database, stems: Stems, columns: readonly PageColumn[]) {
    this.#path = path;
    this.#db = db;
    this.#stems = stems;
    this.#columns = columns;
    this.#page = db.prepare(`INSERT INTO pages VALUES (${['n', ...columns].map(() => '?').join(', ')})`);
    this.#index = db.prepare('INSERT INTO search(rowid, title, text, stems) VALUES (?, ?, ?, ?)');
    this.#link = db.prepare('INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?)');
  }

  /** A new file. Loads SQLite, 1.3 MB. @param columns those of the pages @throws StoreError */
  static async create(path: string, columns: readonly Column[]): Promise<CorpusDatabase> {
    const ofPages = pageColumns(columns);
    const { default: sqlite } = await import('node-sqlite3-wasm');
    let db: Database | null = null;
    try {
      db = new sqlite.Database(path);
      // The file is incomplete until it is finished, and is thrown away if it is not. 16 MB of cache.
      db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16000');
      db.exec(schemaOf(ofPages));
      return new CorpusDatabase(path, db, Stems.load(), ofPages);
    } catch (error) {
      db?.close();
      throw storeErrorFrom(error, 'making the database', path);
    }
  }

  /** O(text of the page). @throws StoreError */
  addPage(page: HarvestedPage): void {
    this.#write(() => {
      const n = this.#numbers.size + 1;
      const values = new Map(this.#columns.map(({ name, of }) => [name, of(page)]));
      const row = [n, ...values.values()];
      this.#page.run(row);
      const [title, text] = (['title', 'text'] as const).map((name) => values.get(`${name}Words`) ?? values.get(name) ?? '');
      this.#index.run([n, title ?? '', text ?? '', this.#stemsOf(page)]);
      this.#numbers.set(page.id, n);
    });
  }

  /** Adds a link. Pages come before links. @throws StoreError */
  addLink({ id, target, targetId, anchorText, rel, nofollow, zone }: LinkRow): void {
    this.#write(() => {
      const targetPage = targetId === null ? null : (this.#numbers.get(targetId) ?? null);
      const words = [storable(anchorText), JSON.stringify(rel)];
      const row = [this.#numbers.get(id) ?? 0, target, targetPage, ...words, nofollow ? 1 : 0, zone];
      this.#link.run(row);
      this.#links++;
    });
  }

  /** Completes the index, writes everything to disk and closes. @throws StoreError */
  finish(facts: Readonly<Record<string, string>>): void {
    this.#write(() => {
      const counts = {
        pages: String(this.#numbers.size),
        links: String(this.#links),
        stemmed: [...this.#stemmed].sort().join(','),
      };
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
}

/** SQLite ends a text at a NUL, and UTF-8 has no lone surrogates: both become U+FFFD, as HTML has it. */
function storable(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\ufffd');
}

function storedValue(value: unknown): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return storable(value);
  if (typeof value === 'number') return value;
  return typeof value === 'boolean' ? Number(value) : jsonOf(value);
}

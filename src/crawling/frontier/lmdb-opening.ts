/** Opens the database of a frontier. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { DATABASE } from '../../base/disk/own-names.ts';
import { convertedCopy, convertFrontier, isFormerDatabase } from './convert-frontier.ts';
import { FormerTables } from './former-tables.ts';
import { damagedDatabase, openErrorFrom, refuseDamagedLmdb, refuseFullDisk } from './lmdb-file.ts';
import { type Head, headIn, readDatabaseHead, refuseOtherCrawl } from './lmdb-head.ts';
import { giveUp, isReadableDatabase, openRoot, openToRead, refuseReadHere, refuseUnwritable } from './lmdb-read.ts';
import { type FrontierTables, OPTIONS, openTables, TABLES } from './lmdb-tables.ts';

export interface OpenDatabase {
  /** Folder of the frontier. */
  readonly path: string;
  /** The file that is open: one of an earlier layout is read by means of a copy. */
  readonly file: string;
  /** Number of that file: another process may replace it. null for a new one. */
  readonly inode: number | null;
  readonly root: RootDatabase<unknown, string>;
  readonly tables: FrontierTables;
  readonly head: Head;
  /** May this process write to it? */
  readonly writes: boolean;
  close(): Promise<void>;
}

/**
 * @param crawl id of the expected crawl; null accepts any
 * @param use `read`: nothing is written to the database, unless it needs repair
 * @throws StoreError if the directory cannot be opened, is damaged, or belongs to another crawl or version
 */
export function openDatabase(path: string, crawl: string | null, use: 'read' | 'write'): OpenDatabase {
  refuseDamagedLmdb(join(path, DATABASE));
  const isFormer = isFormerDatabase(path);
  if (use === 'read' && isFormer) return openCopy(path, crawl);
  const reading = use === 'read' && isReadableDatabase(path) ? openedIn(path, path, crawl, 'read') : null;
  if (reading !== null) return reading;
  if (use === 'write') refuseReadHere(path);
  refuseUnwritable(path);
  refuseFullDisk(path);
  if (isFormer) convertFrontier(path, crawl);
  return openedIn(path, path, crawl, 'write');
}

/** Reads a database of an earlier layout, which stays as it is: another process may use it. */
function openCopy(path: string, crawl: string | null): OpenDatabase {
  const folder = convertedCopy(path, crawl);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  let copy: OpenDatabase | null = null;
  try {
    copy = openedIn(path, folder, crawl, 'read') ?? openedIn(path, folder, crawl, 'write');
  } finally {
    removeOpen(remove, copy === null);
  }
  return { ...copy, close: () => copy.close().finally(remove) };
}

/** An open file has no name any more: a killed process leaves nothing. Some systems refuse that. */
function removeOpen(remove: () => void, must: boolean): void {
  try {
    remove();
  } catch (error) {
    if (must) throw error;
  }
}

/**
 * @param folder of the file
 * @returns null for a database to read whose first writer had no time to make its tables
 */
function openedIn(path: string, folder: string, crawl: string | null, use: 'read'): OpenDatabase | null;
function openedIn(path: string, folder: string, crawl: string | null, use: 'write'): OpenDatabase;
function openedIn(path: string, folder: string, crawl: string | null, use: 'read' | 'write'): OpenDatabase | null {
  const file = join(path, DATABASE);
  let root: RootDatabase<unknown, string> | null = null;
  try {
    const inode = statSync(join(folder, DATABASE), { throwIfNoEntry: false })?.ino ?? null;
    const opened = use === 'read' ? openToRead(folder, OPTIONS, TABLES) : openRoot({ path: folder, ...OPTIONS });
    if (opened === null) return null;
    root = opened;
    const tables = openTables(opened, path, use);
    // After all tables are open: opening one ends the current read snapshot, and another process may commit meanwhile.
    const head = readDatabaseHead(opened, file);
    refuseOtherCrawl(path, head, crawl);
    refuseLostEntries(tables, head, file);
    return { path, file: join(folder, DATABASE), inode, root: opened, tables, head, writes: use === 'write', close: () => opened.close() };
  } catch (error) {
    if (root) giveUp(root);
    throw openErrorFrom(error, path);
  }
}

/** No read looks for an entry that damage moved to another key. The count shows that it is missing. */
function refuseLostEntries({ log }: FrontierTables, { entries }: Head, file: string): void {
  const there = log.stored?.size ?? 0;
  if (there !== entries) throw damagedDatabase(file, `its log has ${there} entries where ${entries} were committed`);
}

/**
 * The head of the database in a folder, read without a change: no table is added to it.
 * @param crawl id of the expected crawl; null accepts any
 * @throws StoreError if it is damaged, or belongs to another crawl or version
 */
export async function storedHeadOf(path: string, crawl: string | null): Promise<Head> {
  const file = join(path, DATABASE);
  refuseDamagedLmdb(file);
  if (isFormerDatabase(path)) return formerHeadOf(path, crawl);
  let root: RootDatabase<unknown, string> | null = null;
  try {
    // After a power cut, opening it to read would write to it as well.
    root = (isReadableDatabase(path) ? openToRead(path, OPTIONS, []) : null) ?? openRoot({ path, ...OPTIONS });
    const head = readDatabaseHead(root, file);
    refuseOtherCrawl(path, head, crawl);
    return head;
  } catch (error) {
    throw openErrorFrom(error, path);
  } finally {
    await root?.close();
  }
}

/** @throws StoreError if it is damaged, or belongs to another crawl */
function formerHeadOf(path: string, crawl: string | null): Head {
  const former = FormerTables.open(path);
  former.close();
  const head = headIn({ ...former.head, entries: 0 });
  refuseOtherCrawl(path, head, crawl);
  return head;
}

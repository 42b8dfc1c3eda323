/** The web of `npm run bench -- crawl`, `npm run bench -- peers` and `npm run bench -- page`, served by a process of its own, and topic models for it. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../../src/base/core/errors.ts';
import type { Bytes } from '../../../src/base/core/types.ts';

/** Root of this tree. */
export const THIS_TREE = fileURLToPath(new URL('../../../', import.meta.url));

export const WEBS = ['generated', 'debian'] as const;
export type WebName = (typeof WEBS)[number];

export interface SiteOptions {
  readonly web: WebName;
  /** For training pages. */
  readonly folder: string;
  readonly pages: number;
  /** Of a generated page. */
  readonly pageBytes: Bytes;
  /** Where the Debian web was built. */
  readonly dir: string;
  /** Answers are compressed for those who accept it. */
  readonly gzip: boolean;
}

/** What a crawler has to know. */
export interface SiteFacts {
  readonly seeds: readonly string[];
  /** `http://host:port`; absent where hosts are loopback addresses. */
  readonly proxy?: string;
  /** Hosts of the web, for crawlers that are told where to stay; absent where links lead nowhere else. */
  readonly hosts?: readonly string[];
  /** Folder of training pages. */
  readonly examples: string;
}

/** Requests that the server has answered with a page. */
export interface Served {
  readonly pages: number;
  /** Of the pages, compressed. */
  readonly gzipped: number;
}

export interface Site extends SiteFacts {
  /** What it has served since it was last asked. */
  served(): Promise<Served>;
  close(): Promise<void>;
}

export function webNamed(word: string): WebName {
  const web = WEBS.find((known) => known === word);
  if (web === undefined) throw new UsageError(`--web ${word}: not one of ${WEBS.join(', ')}`);
  return web;
}

/** Numbers of a list such as `2000,20000`. @throws UsageError */
export function countsOf(option: string, list: string): readonly number[] {
  const counts = list.split(',').map(Number);
  if (counts.every((count) => Number.isSafeInteger(count) && count > 0)) return counts;
  throw new UsageError(`--${option} ${list}: must be whole numbers from 1, with commas between`);
}

/** @throws Error when the server ends before it is ready; it has said why on standard error */
export async function startSite(options: SiteOptions): Promise<Site> {
  const server = fork(fileURLToPath(new URL('server.ts', import.meta.url)), [JSON.stringify(options)], { execArgv: ['--import', 'tsx'] });
  const facts = await told<SiteFacts>(server);
  return {
    ...facts,
    async served() {
      server.send('count');
      return told<Served>(server);
    },
    async close() {
      server.send('stop');
      await once(server, 'exit');
    },
  };
}

function told<Message>(server: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('the server of the web has ended'));
    server.once('exit', ended);
    server.once('message', (message) => {
      server.off('exit', ended);
      resolve(message as Message);
    });
  });
}

/** The folder of a model of the training pages, by the package in a tree: forms of models differ between commits. */
export function trainedModel({ examples }: SiteFacts, folder: string, name: string, tree = THIS_TREE, node = process.execPath): string {
  const model = join(folder, `model-${name}`);
  execFileSync(node, [fileURLToPath(new URL('train-run.mjs', import.meta.url)), packageOf(tree), examples, model]);
  return model;
}

/** The module that a built tree exports, by its own package: commits differ in its place. */
export function packageOf(tree: string): string {
  const { exports } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as { exports: { '.': { default: string } } };
  return join(tree, exports['.'].default);
}

/** The crawlers of `npm run bench -- peers`: how each is found, named by its version, and told to crawl a whole web. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../../src/base/core/errors.ts';
import { packageOf, type SiteFacts, THIS_TREE } from '../crawl/site.ts';

export const PEERS = ['forager', 'cheerio', 'http', 'scrapy', 'httrack', 'wget2'] as const;
export type Peer = (typeof PEERS)[number];

/** Its newest release in November 2026. */
const CRAWLEE = '3.18.1';
/** It waits between its looks at the sockets, so that it takes a tenth of the pages of others in the same time; what it has got by then is counted. */
const HTTRACK_SECONDS = 180;

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** @throws UsageError */
export function peerNamed(word: string): Peer {
  const peer = PEERS.find((known) => known === word);
  if (peer === undefined) throw new UsageError(`--peers ${word}: not one of ${PEERS.join(', ')}`);
  return peer;
}

/** Crawlee from the package registry, without install scripts. @returns the folder */
export function installedCrawlee(folder: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const packages = ['core', 'cheerio', 'http'].map((name) => `@crawlee/${name}@${CRAWLEE}`);
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], {
    cwd: folder,
    stdio: 'inherit',
  });
  return folder;
}

/** Its version as it says it itself; null when it is not there. @param crawlee folder where Crawlee is installed */
export function versionOfPeer(peer: Peer, crawlee: string | undefined): string | null {
  switch (peer) {
    case 'forager':
      return versionIn(join(THIS_TREE, 'package.json'));
    case 'cheerio':
    case 'http':
      return crawlee === undefined ? null : versionIn(join(crawlee, 'node_modules', '@crawlee', peer, 'package.json'));
    case 'scrapy':
      return versionSaid('scrapy', 'version');
    case 'httrack':
    case 'wget2':
      return versionSaid(peer, '--version');
  }
}

function versionIn(manifest: string): string | null {
  if (!existsSync(manifest)) return null;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version;
}

function versionSaid(command: string, question: string): string | null {
  const { stdout, error } = spawnSync(command, [question], { encoding: 'utf8' });
  return error ? null : (/\d+\.[\w.-]*/.exec(stdout)?.[0] ?? 'unknown');
}

export interface PeerCrawl extends SiteFacts {
  readonly model: string;
  readonly crawlee: string | undefined;
  /** Ours stops there; all others crawl the whole web, which has about as many. */
  readonly pages: number;
  /** A new folder for what it stores. */
  readonly out: string;
}

/** The command line. All but Forager, HTTrack and Crawlee are told of a proxy by `proxyEnvironment`. */
export function commandOf(peer: Peer, { seeds, proxy, hosts, model, crawlee, pages, out }: PeerCrawl): readonly string[] {
  switch (peer) {
    case 'forager': {
      const scope = hosts?.map((host) => `host:${host}`);
      const options = { dir: out, topic: model, seeds, maxPages: pages, proxy, scope };
      return [process.execPath, here('../crawl/crawl-run.mjs'), packageOf(THIS_TREE), JSON.stringify(options)];
    }
    case 'cheerio':
    case 'http':
      return [process.execPath, here('crawlee.mjs'), JSON.stringify({ kind: peer, packages: crawlee, out, seeds, proxy, hosts })];
    case 'scrapy': {
      const stay = hosts === undefined ? [] : ['-a', `hosts=${hosts.join(',')}`];
      return ['scrapy', 'runspider', here('spider.py'), '-a', `seeds=${seeds.join(',')}`, ...stay, '-o', join(out, 'pages.jsonl')];
    }
    case 'httrack': {
      const limits = ['-q', '-c64', '-%c0', `-E${HTTRACK_SECONDS}`, '-A0', '-s2', '-r1000', '-e', '-I0', '--disable-security-limits'];
      const where = hosts === undefined ? ['+127.*'] : ['-*', ...hosts.map((host) => `+${host}/*`)];
      const through = proxy === undefined ? [] : ['-P', new URL(proxy).host];
      return ['httrack', ...seeds, '-O', out, ...limits, ...through, ...where];
    }
    case 'wget2': {
      // With --span-hosts it does not look at --domains.
      const where = hosts === undefined ? '--span-hosts' : `--domains=${hosts.join(',')}`;
      return ['wget2', '-q', '-r', '-l', '0', '--tries=1', where, '--max-threads=64', '-P', out, ...seeds];
    }
  }
}

/** That of this process without proxies of its own, and with that of the web. */
export function proxyEnvironment({ proxy }: SiteFacts): Readonly<Record<string, string | undefined>> {
  const direct = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name)));
  // The web has no TLS: the proxy refuses at once what would otherwise be looked for on the network.
  return proxy === undefined ? direct : { ...direct, http_proxy: proxy, https_proxy: proxy };
}

/** Starts a project: checks the answers and writes `forager.yaml`. */

import { once } from 'node:events';
import { join } from 'node:path';
import { systemClock } from '../../base/core/clock.ts';
import { DataError, UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { CanonicalUrl, HostKey, Ms } from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { refuseFileInPath } from '../../base/disk/directories.ts';
import { FILE_OUTPUT, publishFile, withOutput } from '../../base/disk/output.ts';
import { refuseOwned } from '../../base/disk/whose.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { wordsOf } from '../../base/text/tokens.ts';
import { parseScope } from '../../base/web/scope.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import { isContact, userAgentOf } from '../../base/web/user-agent.ts';
import { HostTurns } from '../../crawling/fetch/host-turns.ts';
import { HttpFetcher } from '../../crawling/fetch/http-fetcher.ts';
import { probeProxy } from '../../crawling/fetch/probe-proxy.ts';
import { type FileFetcher, RobotsCache } from '../../crawling/fetch/robots-cache.ts';
import { pagesOfAll } from '../../crawling/input/inputs.ts';
import { readSeeds } from '../../crawling/input/url-file.ts';
import { checkOptions, type OptionTable, without } from '../../crawling/settings/check-options.ts';
import { COMMANDS, type NETWORK } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { call, signal } from '../../crawling/settings/kinds.ts';
import { networkOf } from '../../crawling/settings/network.ts';
import type { OptionsOf } from '../../crawling/settings/setting.ts';
import { DEFAULT_DELAY } from '../../crawling/settings/settings.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../reading/extract/text-method-names.ts';
import { fewExamplesText, refuseFewWords } from '../../reading/topic/enough-examples.ts';
import { parseRule } from '../../reading/topic/rule.ts';
import { pageExtractor } from '../../reading/wasm-reader/page-extractor.ts';
import { extractPage } from './page-in-memory.ts';
import { PROJECT_FILE, projectText, slugOf } from './project-file.ts';

/** An evening's crawl on a few hosts: ten minutes at a delay of a second on one host. */
export const DEFAULT_MAX_PAGES = 500;
/** A person waits for the answers; a seed file may have a million hosts. */
const MAX_ASKED_HOSTS = 20;
const HOST_TIMEOUT: Ms = 8000;
/** Five redirects, each with the robots.txt of its host, and one request that a lenient parser repeats. */
const MAX_ROBOTS_REQUESTS = 12;

interface Asking {
  readonly robots: RobotsCache;
  readonly turns: HostTurns;
  readonly privateHosts: ReadonlySet<HostKey>;
}

interface Listeners {
  /** Receives findings that do not stop the project. */
  readonly warn?: (message: string) => void;
  /** Receives the step that is done now. */
  readonly onProgress?: (step: string) => void;
  readonly signal?: AbortSignal;
}

export type CheckOptions = OptionsOf<typeof NETWORK> & Listeners;

export type InitOptions = Omit<OptionsOf<typeof COMMANDS.init>, 'yes' | 'json' | 'subject' | 'examples' | 'seeds' | 'contact'> &
  Listeners & {
    readonly subject: string;
    /** Folders, files or URLs of example pages. Needed without `keywords`. */
    readonly examples?: readonly string[];
    /** URLs, or files with one URL a line. */
    readonly seeds: readonly string[];
    readonly contact: string;
  };

const INIT: OptionTable<InitOptions> = { ...without(checksOf(COMMANDS.init), 'yes', 'json'), warn: call, onProgress: call, signal };

export interface ExamplesFound {
  readonly pages: number;
  /** Pages without text. */
  readonly empty: number;
  readonly words: number;
  /** Hosts of the pages whose URL is known. */
  readonly hosts: number;
}

export interface SeedHost {
  readonly host: HostKey;
  /** `denied`: robots.txt refuses every seed there; `not-asked`: there are too many hosts. */
  readonly state: 'allowed' | 'denied' | 'unreachable' | 'not-asked';
  /** Reason why the host is unreachable; empty otherwise. */
  readonly cause: string;
}

export interface InitReport {
  /** The path of `forager.yaml`. */
  readonly file: string;
  /** The name of the folders for model, crawl and corpus. */
  readonly slug: string;
  /** null for a project of keywords. */
  readonly examples: ExamplesFound | null;
  readonly seeds: readonly SeedHost[];
  /** The next commands, to be run in the project's folder. */
  readonly commands: readonly string[];
}

/** See `init` of the library. */
export async function init(options: InitOptions): Promise<InitReport> {
  checkOptions('init', INIT, options, 'subject', 'seeds', 'contact');
  refuseExisting(options);
  checkSubject(options.subject);
  checkContact(options.contact);
  parseScope(options.scope ?? []);
  const examples = await checkWanted(options, options);
  const seeds = await checkSeeds(options.seeds, options);
  return { ...(await writeProject(options)), examples, seeds };
}

/** @throws UsageError if a project is there, and `force` is not set */
export function refuseExisting({ dir = '.', force = false }: Pick<InitOptions, 'dir' | 'force'>): void {
  const file = join(dir, PROJECT_FILE);
  refuseFileInPath(dir);
  refuseOwned(file, 'folder');
  if (isThere(file) && !force) throw new UsageError(`${file}: already exists; give another folder, or --force to replace it`);
}

/** @throws UsageError */
export function checkSubject(subject: string): void {
  if (subject.trim() === '') throw new UsageError('--subject: is empty; give a few words, e.g. "peat moss"');
}

/** @throws UsageError */
export function checkContact(contact: string): void {
  userAgentOf(null, contact);
  if (!isContact(contact)) throw new UsageError('--contact: is empty; give a mail address or an http(s) URL');
}

/** The examples or the keywords, of which a project has one. @returns null for keywords. @throws UsageError, DataError */
export async function checkWanted({ examples, keywords }: Wanted, options: CheckOptions): Promise<ExamplesFound | null> {
  if (keywords === undefined) return checkExamples(examples ?? [], options);
  if (examples !== undefined) throw new UsageError('--examples and --keywords: give one of the two');
  if (keywords.trim() === '') throw new UsageError('--keywords: is empty; write e.g. "peat bog, sphagnum"');
  parseRule(keywords);
  return null;
}

type Wanted = Pick<InitOptions, 'examples' | 'keywords'>;

/** Reads all examples. @throws UsageError, DataError if an input cannot be read, or no page has text */
async function checkExamples(inputs: readonly string[], options: CheckOptions): Promise<ExamplesFound> {
  if (inputs.length === 0) throw new UsageError('--examples: is empty; give a folder, a file or a URL, or --keywords instead');
  if (inputs.includes('-')) throw new UsageError('--examples -: a project cannot read standard input later; give a folder or a file');
  const { warn, signal: stop } = options;
  const source = { fetch: networkOf(options), ...(warn && { warn }), ...(stop && { signal: stop }) };
  const hosts = new Set<HostKey>();
  const found = { pages: 0, empty: 0, words: 0 };
  const extractor = pageExtractor({ productToken: PRODUCT_TOKEN, extractor: DEFAULT_MAIN_TEXT_METHOD });
  options.onProgress?.('reading the examples');
  for await (const page of pagesOfAll(inputs, source)) {
    const { url, extraction } = extractPage(page, extractor);
    const words = wordsOf(extraction.text).length;
    found.pages += 1;
    found.words += words;
    if (words === 0) found.empty += 1;
    if (url !== null) hosts.add(hostKeyOf(url));
    options.onProgress?.(`reading the examples, ${found.pages} so far`);
  }
  if (found.words === 0) throw new DataError(`--examples ${inputs.join(' ')}: no page has text; give other pages`);
  refuseFewWords(found.pages, found.words);
  const few = fewExamplesText(found.pages - found.empty);
  if (few !== null) warn?.(few);
  if (hosts.size === 1) warn?.('all examples are from one host; add pages of other hosts, or the model learns its boilerplate');
  return { ...found, hosts: hosts.size };
}

/** Asks the hosts of the seeds for robots.txt. @throws UsageError, DataError if a seed is no URL, or no seed may be requested */
export async function checkSeeds(inputs: readonly string[], options: CheckOptions): Promise<SeedHost[]> {
  const all = [...groupedByHost(seedsOf(inputs))];
  const asked = all.slice(0, MAX_ASKED_HOSTS);
  options.onProgress?.('asking the hosts of the seeds for robots.txt');
  const found = await askHosts(asked, options);
  for (const { host, state, cause } of found) {
    if (state === 'denied') options.warn?.(`${host}: its robots.txt forbids the seeds; choose other seeds`);
    if (state === 'unreachable') options.warn?.(`${host}: does not answer (${cause})${remedyOf(cause)}`);
  }
  if (found.every(({ state }) => state !== 'allowed'))
    throw new DataError(
      `--seeds: no seed can be requested; the first: ${found[0]?.host} (${found[0]?.cause || found[0]?.state})${remedyOf(found[0]?.cause ?? '')}`,
    );
  return [...found, ...all.slice(MAX_ASKED_HOSTS).map(([host]): SeedHost => ({ host, state: 'not-asked', cause: '' }))];
}

function remedyOf(cause: string): string {
  return cause === 'private-address' ? '; --allow-private allows loopback and private addresses' : '; check the URL and your connection';
}

function seedsOf(inputs: readonly string[]): CanonicalUrl[] {
  if (inputs.length === 0) throw new UsageError('--seeds: is empty; give a URL, or a file with one URL a line');
  return readSeeds(inputs);
}

function groupedByHost(urls: readonly CanonicalUrl[]): Map<HostKey, CanonicalUrl[]> {
  const byHost = new Map<HostKey, CanonicalUrl[]>();
  for (const url of urls) {
    const before = byHost.get(hostKeyOf(url));
    if (before) before.push(url);
    else byHost.set(hostKeyOf(url), [url]);
  }
  return byHost;
}

async function askHosts(hosts: readonly (readonly [HostKey, readonly CanonicalUrl[]])[], options: CheckOptions): Promise<SeedHost[]> {
  const proxy = options.proxy === undefined || options.proxy === 'none' ? null : options.proxy;
  await probeProxy(proxy);
  const fetcher = new HttpFetcher({
    userAgent: userAgentOf(options.userAgent ?? null, options.contact ?? null),
    contact: options.contact ?? null,
    allowPrivate: options.allowPrivate ?? false,
    clock: systemClock,
    ...(proxy !== null && { proxy }),
  });
  const stop = options.signal ?? new AbortController().signal;
  const end = new AbortController();
  const privateHosts = new Set<HostKey>();
  const robots = new RobotsCache(notingPrivate(fetcher, privateHosts), PRODUCT_TOKEN, systemClock);
  const asking = { robots, turns: new HostTurns(systemClock, DEFAULT_DELAY, end.signal), privateHosts };
  try {
    return await Promise.all(hosts.map(([host, urls]) => askHost(host, urls, asking, stop)));
  } finally {
    end.abort();
    await fetcher.close();
  }
}

/** Notes the hosts with private addresses. A crawl learns of them by the request of a page, and this check requests no page. */
function notingPrivate(fetcher: FileFetcher, privateHosts: Set<HostKey>): FileFetcher {
  return {
    fetchFile: async (url, ...rest) => {
      const outcome = await fetcher.fetchFile(url, ...rest);
      if (outcome.kind === 'refused' && outcome.reason === 'private-address') privateHosts.add(hostKeyOf(url));
      return outcome;
    },
  };
}

async function askHost(host: HostKey, urls: readonly CanonicalUrl[], asking: Asking, stop: AbortSignal): Promise<SeedHost> {
  const { robots, privateHosts } = asking;
  const late = AbortSignal.timeout(HOST_TIMEOUT);
  try {
    await Promise.race([loadRobots(host, urls, asking, AbortSignal.any([stop, late])), aborted(late)]);
  } catch (error) {
    stop.throwIfAborted();
    if (!late.aborted) throw error;
    return { host, state: 'unreachable', cause: `no answer within ${HOST_TIMEOUT / 1000} s` };
  }
  stop.throwIfAborted();
  const cause = privateHosts.has(host) ? 'private-address' : robots.unreachable(host)?.cause;
  if (cause !== undefined) return { host, state: 'unreachable', cause };
  return { host, state: urls.some((url) => robots.verdict(url) === 'allow') ? 'allowed' : 'denied', cause: '' };
}

/** Several requests if the file redirects. Each waits for the turn of the host that it asks. */
async function loadRobots(host: HostKey, [url]: readonly CanonicalUrl[], { robots, turns }: Asking, signal: AbortSignal): Promise<void> {
  for (let request = 0; url !== undefined && robots.verdict(url) === 'unknown' && request < MAX_ROBOTS_REQUESTS; request++) {
    const asked = robots.asks(host);
    await turns.take(asked, async () => {
      // Another seed's turn may have told it.
      if (robots.verdict(url) !== 'unknown' || robots.asks(host) !== asked) return false;
      await robots.load(host, signal);
      return true;
    });
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort');
  throw signal.reason;
}

/** Writes the file. Its answers are checked. @throws UsageError, StoreError */
export async function writeProject(options: InitOptions): Promise<Pick<InitReport, 'file' | 'slug' | 'commands'>> {
  const { dir = '.', scope = [], maxPages = DEFAULT_MAX_PAGES, force } = options;
  const file = join(dir, PROJECT_FILE);
  await withOutput(file, FILE_OUTPUT, { force, as: 'folder' }, (output) =>
    publishFile(output, projectText({ ...options, dir, scope, maxPages })),
  );
  const commands = ['train', 'crawl', 'harvest'].map((name) => foragerCommand(name, '--config', PROJECT_FILE));
  return { file, slug: slugOf(options.subject), commands };
}

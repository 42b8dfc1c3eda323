/** The loopback web of `npm run bench -- crawl`, in a process of its own, and the command that crawls it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startSite, trainedModel } from '../crawl/site.ts';

const MAIN = fileURLToPath(new URL('../../../dist/bin/main.js', import.meta.url));
/** Bytes of a page, as in `npm run bench -- crawl`. */
const PAGE_BYTES = 20_000;

export interface LoopbackSite {
  /** Starts a crawl of it. @param options further ones of `forager crawl` @param under words of a command that runs it, such as a clock */
  crawl(dir: string, options: readonly string[], under?: readonly string[]): ChildProcessWithoutNullStreams;
  close(): Promise<void>;
}

/** @param folder for the topic */
export async function loopbackSite(folder: string, pages: number): Promise<LoopbackSite> {
  const site = await startSite({ web: 'generated', folder, pages, pageBytes: PAGE_BYTES, dir: '', gzip: false });
  const model = trainedModel(site, folder, 'here');
  return {
    crawl(dir, options, under = []) {
      const crawl = [process.execPath, MAIN, 'crawl', dir, '--topic', model, '--seeds', ...site.seeds, '--allow-private', ...options];
      const [command = '', ...words] = [...under, ...crawl];
      return spawn(command, words);
    },
    close: () => site.close(),
  };
}

/** The address of the page, once the crawl has printed it. */
export function pageAddress(crawl: ChildProcessWithoutNullStreams): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    crawl.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /page: (\S+)\n/.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
    crawl.on('exit', (code) => reject(new Error(`the crawl ended with ${code} and without a page: ${said.slice(-500)}`)));
  });
}

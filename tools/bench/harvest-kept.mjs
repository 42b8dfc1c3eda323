/** What benches of harvests share: the expected records of a corpus folder, and the most memory of a harvest. Without a loader, whose memory would count. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** URL and id of each record, read as a harvest reads them of the frontier: one after the other, without waiting. */
export function* versionsIn(corpusDir) {
  const file = openSync(join(corpusDir, 'records.jsonl'), 'r');
  const piece = Buffer.alloc(256 * 1024);
  try {
    for (let rest = ''; ; ) {
      const text = rest + piece.toString('latin1', 0, readSync(file, piece));
      const lines = text.split('\n');
      rest = lines.pop();
      for (const line of lines) {
        const [, id, url] = /^\{"id":"([^"]+)","url":"([^"]+)"/.exec(line);
        yield [url, id];
      }
      if (text === rest) return;
    }
  } finally {
    closeSync(file);
  }
}

/** Megabytes; those of mapped files, such as the program itself, are in the first alone. The second is sampled. */
export class Peak {
  #anonymous = 0;

  sample() {
    const [, kilobytes = 0] = /^RssAnon:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
    this.#anonymous = Math.max(this.#anonymous, Number(kilobytes));
  }

  get megabytes() {
    return process.resourceUsage().maxRSS / 1024;
  }

  get anonymous() {
    return this.#anonymous / 1024;
  }
}

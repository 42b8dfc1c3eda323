/** A browser without a screen: HTTP to a page, with the cookie that its address gives. */
import { request } from 'node:http';
import { parseHTML } from 'linkedom';
import type { Screen } from './tables.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One request, whatever its headers say: `fetch` does not let one choose `Host`. */
export function sent(origin: string, path: string, { method = 'GET', headers = {}, body = '' }: Sent = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const asked = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') }),
      );
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

export class PageClient {
  readonly origin: string;
  readonly #cookies = new Map<string, string>();
  /** The same in all forms of a page. */
  #formToken: string | null = null;

  private constructor(origin: string, first: Answer) {
    this.origin = origin;
    this.#keep(first);
  }

  /** As a browser sends them. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep({ headers }: Answer): void {
    for (const cookie of [headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(cookie) ?? [];
      if (/Max-Age=0/.test(cookie)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }

  /** @param url as the command prints it */
  static async of(url: string): Promise<PageClient> {
    const { origin, pathname, search } = new URL(url);
    return new PageClient(origin, await sent(origin, `${pathname}${search}`));
  }

  get(path: string): Promise<Answer> {
    return sent(this.origin, path, { headers: { cookie: this.cookie } });
  }

  /** Follows one redirection, as that of a project's page to its first step. */
  async screen(path: string): Promise<Screen> {
    const answer = await this.get(path);
    const to = answer.headers['location'];
    return this.parsed((typeof to === 'string' ? await this.get(to) : answer).text);
  }

  parsed(text: string): Screen {
    return parseHTML(text).document;
  }

  /** Sends a form as the page itself does. */
  async post(path: string, fields: Fields = {}): Promise<Answer> {
    const token = this.#formToken ?? (await this.screen('/')).querySelector('meta[name="form-token"]')?.getAttribute('content') ?? '';
    this.#formToken = token;
    const answer = await sent(this.origin, path, {
      method: 'POST',
      headers: { cookie: this.cookie, origin: this.origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams([...entriesOf(fields), ['formToken', token]]).toString(),
    });
    this.#keep(answer);
    return answer;
  }
}

/** Fields of a form; as a list where a name has several values. */
type Fields = Readonly<Record<string, string>> | [string, string][];

function entriesOf(fields: Fields): [string, string][] {
  return Array.isArray(fields) ? fields : Object.entries(fields);
}

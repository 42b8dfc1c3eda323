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
  readonly cookie: string;
  /** The same in all forms of a page. */
  #formToken: string | null = null;

  private constructor(origin: string, cookie: string) {
    this.origin = origin;
    this.cookie = cookie;
  }

  /** @param url as the command prints it */
  static async of(url: string): Promise<PageClient> {
    const { origin, pathname, search } = new URL(url);
    const { headers } = await sent(origin, `${pathname}${search}`);
    const [cookie = ''] = [headers['set-cookie'] ?? []].flat();
    return new PageClient(origin, cookie.split(';')[0] ?? '');
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
    return sent(this.origin, path, {
      method: 'POST',
      headers: { cookie: this.cookie, origin: this.origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams([...entriesOf(fields), ['formToken', token]]).toString(),
    });
  }
}

/** Fields of a form; as a list where a name has several values. */
type Fields = Readonly<Record<string, string>> | [string, string][];

function entriesOf(fields: Fields): [string, string][] {
  return Array.isArray(fields) ? fields : Object.entries(fields);
}

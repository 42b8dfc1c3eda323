/** A small server of the OpenAI chat protocol on loopback, which can also misbehave. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChatRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly max_tokens?: number;
    readonly [field: string]: unknown;
  };
  /** The page in the message of the user. */
  readonly page: { readonly url: string; readonly title: string; readonly text: string };
}

/** What the server does with a request. `at` counts requests from 1. */
export type Behaviour = (response: ServerResponse, request: ChatRequest, at: number) => void;

export interface ChatServerOnLoopback {
  /** Base URL, with its /v1. */
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

/** A reply of the protocol. @param tokens null: without `usage` */
export function reply(response: ServerResponse, content: string | null, tokens: number | null = 100): void {
  const usage = tokens === null ? {} : { usage: { prompt_tokens: tokens - 10, completion_tokens: 10, total_tokens: tokens } };
  json(response, 200, { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], ...usage });
}

export function json(response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** On topic if the page's text has the word. */
export function judgesBy(word: string): Behaviour {
  return (response, { page }) => reply(response, JSON.stringify({ onTopic: page.text.includes(word), reason: `looked for ${word}` }));
}

export async function chatServer(first: Behaviour): Promise<ChatServerOnLoopback> {
  let behaviour = first;
  const requests: ChatRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as ChatRequest['body'];
      const page = JSON.parse(body.messages.at(-1)?.content ?? '{}') as ChatRequest['page'];
      const received: ChatRequest = { path: request.url ?? '', headers: request.headers, body, page };
      requests.push(received);
      behaviour(response, received, requests.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    behave: (next) => {
      behaviour = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

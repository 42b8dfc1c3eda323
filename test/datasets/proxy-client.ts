import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Ask a proxy for `url` in absolute form, the URL exactly as given. */
export async function viaProxy(port: number, url: string, method = 'GET', headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const sent = request({ host: '127.0.0.1', port, path: url, method, headers, agent: false });
  sent.end();
  const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { statusCode: number; headers: IncomingHttpHeaders }];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

/** Send bytes to a port; all that comes back until the server closes. */
export async function rawExchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(text);
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  await once(socket, 'close');
  return received;
}

/** A small object store on loopback with the API of S3: whole objects, parts, lists, `If-None-Match` and checksums. It keeps all in memory. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Part {
  readonly bytes: Buffer;
  readonly etag: string;
}

export interface S3Request {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: number;
}

/** A fault of a request: a status, the connection is cut, or no answer comes (`silent`), each before the store sees it; `after` cuts it when the store has done it. */
export type Fault = number | 'cut' | 'silent' | 'after' | null;

export class S3Server {
  readonly objects = new Map<string, { readonly bytes: Buffer; readonly etag: string; readonly sha256: string }>();
  readonly uploads = new Map<string, { readonly key: string; readonly parts: Map<number, Part> }>();
  readonly requests: S3Request[] = [];
  /** Asked before each request. */
  fault: (request: S3Request) => Fault = () => null;
  /** No request is answered before. */
  hold: Promise<void> = Promise.resolve();
  /** The body of an object as it is answered. */
  answered: (key: string, bytes: Buffer) => Buffer = (_, bytes) => bytes;
  /** Does it know `If-None-Match`? */
  conditional = true;
  readonly #server: Server;
  #number = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<S3Server> {
    const server = createServer();
    const store = new S3Server(server);
    server.on('request', (request, response) => void store.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return store;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Number of bytes of objects and parts that were sent. */
  get sentBytes(): number {
    return this.requests.reduce((sum, { method, bytes }) => sum + (method === 'PUT' ? bytes : 0), 0);
  }

  /** Cuts all connections, those of silent faults too. */
  cut(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // A client that was killed sent a part of a request: the store does nothing.
      return;
    }
    const body = Buffer.concat(chunks);
    const [path = '', search = ''] = (request.url ?? '').split('?');
    const key = decodeURIComponent(path.replace(/^\/[^/]*\/?/, ''));
    const seen: S3Request = {
      ...{ method: request.method ?? '', target: request.url ?? '', key, query: new URLSearchParams(search), headers: request.headers },
      bytes: body.length,
    };
    this.requests.push(seen);
    await this.hold;
    const fault = this.fault(seen);
    if (fault === 'cut') return void request.socket.destroy();
    if (fault === 'silent') return;
    const [status, headers, answer] =
      typeof fault === 'number' ? [fault, {}, errorXml(fault === 403 ? 'AccessDenied' : 'SlowDown')] : this.#answer(seen, body);
    if (fault === 'after') return void request.socket.destroy();
    response.writeHead(status, headers).end(seen.method === 'HEAD' ? undefined : answer);
  }

  #answer(request: S3Request, body: Buffer): [number, Record<string, string>, string | Buffer] {
    const { method, key, query, headers } = request;
    if (!/^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/[^/]+\/s3\/aws4_request, /.test(headers.authorization ?? ''))
      return [403, {}, errorXml('AccessDenied')];
    if (headers['x-amz-content-sha256'] !== hash('sha256', body, 'hex')) return [400, {}, errorXml('XAmzContentSHA256Mismatch')];
    const told = headers['x-amz-checksum-sha256'];
    if (told !== undefined && told !== hash('sha256', body, 'base64')) return [400, {}, errorXml('BadDigest')];
    const id = query.get('uploadId');
    if (key === '' && query.has('uploads')) return [200, {}, this.#listUploads(query.get('prefix') ?? '')];
    if (key === '') return [200, {}, this.#list(query)];
    if (id !== null) return this.#ofUpload(request, id, body);
    if (method === 'POST') {
      const upload = `upload-${++this.#number}`;
      this.uploads.set(upload, { key, parts: new Map() });
      return [200, {}, `<InitiateMultipartUploadResult><UploadId>${upload}</UploadId></InitiateMultipartUploadResult>`];
    }
    if (method === 'DELETE') return [this.objects.delete(key) ? 204 : 204, {}, ''];
    if (method === 'PUT')
      return this.#store(request, { bytes: body, etag: hash('md5', body, 'hex'), sha256: hash('sha256', body, 'base64') });
    const found = this.objects.get(key);
    if (found === undefined) return [404, {}, errorXml('NoSuchKey')];
    return [200, { etag: `"${found.etag}"`, 'x-amz-checksum-sha256': found.sha256 }, this.answered(key, found.bytes)];
  }

  #store({ key, headers }: S3Request, object: { bytes: Buffer; etag: string; sha256: string }): [number, Record<string, string>, string] {
    if (headers['if-none-match'] !== undefined && !this.conditional) return [501, {}, errorXml('NotImplemented')];
    if (headers['if-none-match'] === '*' && this.objects.has(key)) return [412, {}, errorXml('PreconditionFailed')];
    this.objects.set(key, object);
    return [200, { etag: `"${object.etag}"` }, ''];
  }

  #ofUpload(request: S3Request, id: string, body: Buffer): [number, Record<string, string>, string] {
    const { method, query } = request;
    const upload = this.uploads.get(id);
    if (upload === undefined) return [404, {}, errorXml('NoSuchUpload')];
    if (method === 'DELETE') return [this.uploads.delete(id) ? 204 : 404, {}, ''];
    if (method === 'PUT') {
      const part = { bytes: body, etag: hash('md5', body, 'hex') };
      upload.parts.set(Number(query.get('partNumber')), part);
      return [200, { etag: `"${part.etag}"` }, ''];
    }
    if (method === 'GET') {
      // Two at a time, so that there are further ones.
      const from = Number(query.get('part-number-marker') ?? 0);
      const left = [...upload.parts].filter(([number]) => number > from).sort(([a], [b]) => a - b);
      const rows = left
        .slice(0, 2)
        .map(([number, { etag }]) => `<Part><PartNumber>${number}</PartNumber><ETag>&quot;${etag}&quot;</ETag></Part>`);
      const last = left[1]?.[0] ?? 0;
      return [
        200,
        {},
        `<R><NextPartNumberMarker>${last}</NextPartNumberMarker><IsTruncated>${left.length > 2}</IsTruncated>${rows.join('')}</R>`,
      ];
    }
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"([0-9a-f]+)"/g)];
    const parts = named.map(([, number, etag]) => ({ part: upload.parts.get(Number(number)), etag }));
    if (parts.length === 0 || parts.some(({ part, etag }) => part?.etag !== etag)) return [400, {}, errorXml('InvalidPart')];
    const all = parts.flatMap(({ part }) => part ?? []);
    if (all.slice(0, -1).some(({ bytes }) => bytes.length < 5 * 1024 * 1024)) return [400, {}, errorXml('EntityTooSmall')];
    const md5s = Buffer.concat(all.map(({ etag }) => Buffer.from(etag, 'hex')));
    const sums = Buffer.concat(all.map(({ bytes }) => createHash('sha256').update(bytes).digest()));
    const stored = this.#store(request, {
      bytes: Buffer.concat(all.map(({ bytes }) => bytes)),
      etag: `${hash('md5', md5s, 'hex')}-${all.length}`,
      sha256: `${hash('sha256', sums, 'base64')}-${all.length}`,
    });
    if (stored[0] === 200) this.uploads.delete(id);
    return stored;
  }

  #list(query: URLSearchParams): string {
    const from = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > from).sort();
    // Three at a time, so that there are further ones.
    const rows = keys
      .slice(0, 3)
      .map((key) => `<Contents><Key>${escaped(key)}</Key><Size>${this.objects.get(key)?.bytes.length}</Size></Contents>`);
    const more = keys.length > 3;
    const next = more ? `<NextContinuationToken>${escaped(keys[2] ?? '')}</NextContinuationToken>` : '';
    return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${rows.join('')}</ListBucketResult>`;
  }

  #listUploads(prefix: string): string {
    const rows = [...this.uploads].filter(([, { key }]) => key.startsWith(prefix));
    const xml = rows.map(([id, { key }]) => `<Upload><Key>${escaped(key)}</Key><UploadId>${id}</UploadId></Upload>`);
    return `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${xml.join('')}</ListMultipartUploadsResult>`;
  }
}

function hash(algorithm: 'md5' | 'sha256', bytes: Buffer, encoding: 'hex' | 'base64'): string {
  return createHash(algorithm).update(bytes).digest(encoding);
}

function errorXml(code: string): string {
  return `<?xml version="1.0"?><Error><Code>${code}</Code><Message>secret-in-an-answer</Message></Error>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

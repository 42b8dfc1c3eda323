/** One response record of a WARC, as other tools write them: not compressed. */
export function warcRecord(url: string, body: string): Buffer {
  const block = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${body}`);
  const fields = `WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: ${url}\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: ${block.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(fields), block, Buffer.from('\r\n\r\n')]);
}

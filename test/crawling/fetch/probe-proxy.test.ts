import { expect, test } from 'vitest';
import { probeProxy } from '../../../src/crawling/fetch/probe-proxy.ts';
import { ProxyRoute } from '../../../src/crawling/fetch/proxy-route.ts';

test('no message has the password of a proxy', async () => {
  for (const proxy of ['http://someone:hushhush@127.0.0.1:1', 'someone:hushhush@127.0.0.1:1', 'ftp://someone:hushhush@127.0.0.1']) {
    const error = await probeProxy(proxy).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toContain('hushhush');
  }
  const made = () => new ProxyRoute('someone:hushhush@127.0.0.1:1', 1, { connectTimeoutMs: 1000, allowPrivate: true });
  expect(made).toThrow('not a proxy address');
  expect(made).not.toThrow('hushhush');
});

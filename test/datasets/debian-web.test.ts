import { execFileSync, spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuildOptions, buildDebianWeb } from '../../datasets/debian-web/builder.ts';
import { type HostRow, hostTable, parseHosts, rowsOf } from '../../datasets/debian-web/hosts.ts';
import { firstSegmentUnder, subjectOf, underPrefix } from '../../datasets/debian-web/labels.ts';
import { layOut, resolveLinks } from '../../datasets/debian-web/layout.ts';
import { readManifest } from '../../datasets/debian-web/manifest.ts';
import { nearestToIndex } from '../../datasets/debian-web/nearest.ts';
import { portalPages, titleOf } from '../../datasets/debian-web/portals.ts';
import { diskSource, safeSegments } from '../../datasets/debian-web/source.ts';
import { startDebianWeb } from '../../datasets/debian-web/web.ts';
import { sample } from '../support/extent.ts';
import { rawExchange, viaProxy } from './proxy-client.ts';

const ROW: HostRow = {
  host: 'docs.example',
  urlPrefix: '/v1/',
  package: 'tiny-doc',
  path: 'usr/share/doc/tiny/html',
  subject: 'music',
  lang: 'en',
};
const folder = mkdtempSync(join(tmpdir(), 'debian-web-'));
afterAll(() => rmSync(folder, { recursive: true }));

function tree(files: readonly string[], symlinks: Readonly<Record<string, string>> = {}) {
  return { files: new Set(files), symlinks: new Map(Object.entries(symlinks)) };
}

function page(title: string, ...hrefs: readonly string[]): string {
  return `<html><head><title>${title}</title></head><body>${hrefs.map((href) => `<a href="${href}">x</a>`).join('')}</body></html>`;
}

describe('the host table', () => {
  test('has the counts its README gives', () => {
    const rows = hostTable();
    const distinct = (of: (row: HostRow) => string) => new Set(rows.map(of)).size;
    expect([rows.length, distinct((row) => row.host), distinct((row) => row.subject)]).toEqual([160, 115, 19]);
  });

  test('a host is one subject', () => {
    const subjects = new Map(hostTable().map((row) => [row.host, row.subject]));
    expect(hostTable().filter((row) => subjects.get(row.host) !== row.subject)).toEqual([]);
  });

  test('a damaged row is named by file and line', () => {
    expect(() => parseHosts('# x\nhost\t/\tpackage\n', 'hosts.tsv')).toThrow(/^hosts\.tsv:2: .*6 columns/);
    expect(() => parseHosts('h\tdocs\tp\tq\ts\ten\n', 'hosts.tsv')).toThrow(/must begin and end with/);
  });

  test('unknown hosts are refused by name', () => {
    expect(rowsOf(['docs.python.org']).map((row) => row.package)).toEqual(['python3.11-doc']);
    expect(() => rowsOf(['docs.python.org', 'no.example'])).toThrow(/no\.example/);
  });
});

test('labels by host, prefix and first segment', () => {
  expect([subjectOf('http://docs.kernel.org/networking/tcp.html'), subjectOf('http://portal-1.example/'), subjectOf('no url')]).toEqual([
    'operating-systems',
    null,
    null,
  ]);
  const networking = underPrefix('docs.kernel.org/networking/');
  expect(networking('http://docs.kernel.org/networking/tcp.html')).toBe(true);
  expect(networking('http://docs.kernel.org/networking-more.html')).toBe(false);
  const label = firstSegmentUnder('docs.kernel.org/');
  expect(['http://docs.kernel.org/mm/a/b.html', 'http://docs.kernel.org/index.html', 'http://a.example/mm/x'].map(label)).toEqual([
    'mm',
    null,
    null,
  ]);
});

describe('layout', () => {
  const base = ROW.path;

  test('pages of the folder, gzip endings dropped, the rest left out', () => {
    const laid = layOut(
      ROW,
      tree([`${base}/index.html`, `${base}/a/b.html.gz`, 'usr/share/doc/tiny/htmlish/c.html', 'usr/share/doc/other/d.html']),
    );
    expect(laid.pages).toEqual([
      { from: `${base}/a/b.html.gz`, to: 'docs.example/v1/a/b.html' },
      { from: `${base}/index.html`, to: 'docs.example/v1/index.html' },
    ]);
  });

  test('the folder itself may be a link, also an absolute one', () => {
    for (const target of ['../tiny-data/www', '/usr/share/doc/tiny-data/www']) {
      const laid = layOut(ROW, tree(['usr/share/doc/tiny-data/www/x.html'], { [base]: target }));
      expect(laid.pages.map((at) => at.to)).toEqual(['docs.example/v1/x.html']);
    }
  });

  test('links inside are aliases, links outside and dangling ones are dropped', () => {
    const laid = layOut(
      ROW,
      tree([`${base}/toc.html`, `${base}/en/a.html`, 'usr/share/doc/tiny/secret.html'], {
        [`${base}/index.html`]: 'toc.html',
        [`${base}/latest`]: 'en',
        [`${base}/out.html`]: '../secret.html',
        [`${base}/gone.html`]: 'nothing.html',
        [`${base}/logo.png`]: '../../pictures/logo.png',
      }),
    );
    expect(laid.pages).toHaveLength(2);
    expect(laid.aliases).toEqual([
      { from: `${base}/toc.html`, to: 'docs.example/v1/index.html' },
      { from: `${base}/en/a.html`, to: 'docs.example/v1/latest/a.html' },
    ]);
    expect(laid.droppedLinks).toEqual([`${base}/out.html`, `${base}/gone.html`]);
  });

  test('loops and links to folders above end', () => {
    const laid = layOut(
      ROW,
      tree([`${base}/a.html`], { [`${base}/x`]: 'y', [`${base}/y`]: 'x', [`${base}/up`]: '.', [`${base}/root`]: '../../../../../../..' }),
    );
    expect([laid.pages.length, laid.aliases.length]).toEqual([1, 0]);
    expect(resolveLinks('x/a', new Map([['x', '../..']]))).toBeNull();
  });
});

test('the cap keeps the pages nearest to the index, and fills up in order', () => {
  const html: Readonly<Record<string, string>> = {
    'h/a.html': page('a'),
    'h/b.html': page('b', 'z.html', 'https://elsewhere.example/a.html'),
    'h/index.html': page('i', './b.html#part', '/c/'),
    'h/c/index.html': page('c'),
    'h/z.html': page('z'),
  };
  const kept = (cap: number) => [...nearestToIndex(Object.keys(html).sort(), cap, (name) => html[name] ?? '')];
  expect(kept(3)).toEqual(['h/index.html', 'h/b.html', 'h/c/index.html']);
  expect(kept(4)).toEqual(['h/index.html', 'h/b.html', 'h/c/index.html', 'h/z.html']);
  expect(new Set(kept(9))).toEqual(new Set(Object.keys(html)));
});

describe('the disk source', () => {
  const dir = join(folder, 'disk');
  const files: Readonly<Record<string, string>> = {
    'h.example/index.html': 'root',
    'h.example/dir/index.htm': 'dir',
    'h.example/bare/x.html': 'x',
    'h.example/thread/x.html': 'in thread',
    'h.example/thread.html': 'thread',
    'h.example/a b+ü.xhtml': 'odd name',
    'other.example/secret.html': 'secret',
  };
  const source = diskSource(dir, new Set(['h.example']), 1000);
  const get = (path: string) => {
    const answer = source.get('h.example', path);
    return answer === null
      ? null
      : [answer.status, new Map(Object.entries(answer.headers)).get('location') ?? Buffer.from(answer.body).toString()];
  };

  beforeAll(() => {
    for (const [name, body] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, name)), { recursive: true });
      writeFileSync(join(dir, name), body);
    }
  });

  test('files, indexes, redirects, endings added', () => {
    expect(get('/')).toEqual([200, 'root']);
    expect(get('/dir/?x=1')).toEqual([200, 'dir']);
    expect(get('/dir')).toEqual([301, 'http://h.example/dir/']);
    expect(get('/bare')).toEqual([301, 'http://h.example/bare/']);
    expect(get('/bare/x')).toEqual([200, 'x']);
    expect(get('/thread')).toEqual([200, 'thread']);
    expect(get('/a%20b+%C3%BC.xhtml')).toEqual([200, 'odd name']);
    expect(source.get('h.example', '/a%20b+%C3%BC.xhtml')?.headers).toEqual({ 'content-type': 'application/xhtml+xml' });
    expect(source.get('h.example', '/')?.headers).toEqual({ 'content-type': 'text/html' });
  });

  test.each(['/bare/', '/none.html', '/index.html/x', '/index.html/', `/${'x'.repeat(5000)}`, '/%ff', '/%00'])('nothing at %s', (path) => {
    expect(get(path)?.[0]).toBe(404);
  });

  test('no way out of the host', () => {
    const ways = [
      '/../other.example/secret.html',
      '/%2e%2e/other.example/secret.html',
      '/dir/..%2f..%2fother.example/secret.html',
      '/%2e%2e%2fother.example%2fsecret.html',
    ];
    for (const way of ways) expect(get(way)?.[0]).toBe(404);
    expect(safeSegments('/a/..%2fb')).toBeNull();
    expect(source.get('other.example', '/secret.html')).toBeNull();
    expect(source.get('..', '/other.example/secret.html')).toBeNull();
  });
});

test('titles are decoded by the page’s own charset', () => {
  expect(titleOf(Buffer.from('<title>\n Grüße &amp; so</title>'))).toBe('Grüße &amp; so');
  expect(titleOf(Buffer.from('<meta charset="iso-8859-1"><title>Gr\u00fc\u00dfe</title>', 'latin1'))).toBe('Grüße');
  expect(titleOf(Buffer.from('<p>none</p>'))).toBeNull();
  expect(titleOf(Buffer.from('<title>caf\u00e9</title>', 'latin1'))).toBeNull();
});

const hasDpkg = spawnSync('dpkg-deb', ['--version']).status === 0;
/** Longer than the 100 bytes of a tar header's name field, so that the archive has a GNU long name. */
const LONG = `${'long-name-'.repeat(12)}.html`;

function buildDeb(debs: string, version: string, extra: Readonly<Record<string, string>> = {}): void {
  const root = join(folder, `root-${version}`);
  const html = join(root, ROW.path);
  const files: Readonly<Record<string, string | Buffer>> = {
    'index.html': page('Tiny home', 'a.html', 'sub/'),
    'a.html': page('A page', `sub/${LONG}`),
    'sub/index.html': page('Sub'),
    [`sub/${LONG}`]: page('Long'),
    'log.html.gz': gzipSync(page('Log')),
    'broken.html.gz': 'not gzip',
    'style.css': 'p {}',
    ...extra,
  };
  for (const [name, body] of Object.entries(files)) {
    mkdirSync(dirname(join(html, name)), { recursive: true });
    writeFileSync(join(html, name), body);
  }
  linkSync(join(html, 'a.html'), join(html, 'twin.html'));
  symlinkSync('sub', join(html, 'latest'));
  symlinkSync('/etc/passwd', join(html, 'out.html'));
  mkdirSync(join(root, 'DEBIAN'));
  const control = [
    'Package: tiny-doc',
    `Version: ${version}`,
    'Architecture: all',
    'Maintainer: Nobody <nobody@example.org>',
    'Description: test',
  ];
  writeFileSync(join(root, 'DEBIAN', 'control'), `${control.join('\n')}\n`);
  mkdirSync(debs, { recursive: true });
  execFileSync('dpkg-deb', ['--root-owner-group', '--build', root, join(debs, `tiny-doc_${version}_all.deb`)], { stdio: 'ignore' });
}

// Without dpkg-deb no .deb can be made or read here: these tests need Debian or a system with dpkg.
describe.skipIf(!hasDpkg)('a package built with dpkg-deb (skipped where dpkg-deb is missing)', () => {
  const debs = join(folder, 'debs');
  const out = join(folder, 'out');
  const lines: string[] = [];
  const options: BuildOptions = { rows: [ROW], out, cap: null, debs, offline: true, progress: (line) => lines.push(line) };
  const read = (name: string) => readFileSync(join(out, 'docs.example/v1', name), 'utf8');

  beforeAll(async () => {
    buildDeb(debs, '1.0', { 'old.html': page('Old') });
    await buildDebianWeb(options);
  });

  test('is laid out by host, with a manifest', () => {
    const [row] = readManifest(out).rows;
    expect(row).toMatchObject({ host: 'docs.example', version: '1.0', pages: 7, aliases: 2, droppedLinks: 1, cap: null });
    expect(row?.debSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(read('index.html')).toContain('Tiny home');
    expect(read('log.html')).toContain('Log');
    expect(read(`sub/${LONG}`)).toContain('Long');
    expect(read('twin.html')).toBe(read('a.html'));
    expect(read('latest/index.html')).toContain('Sub');
    for (const name of ['style.css', 'out.html', 'broken.html', 'log.html.gz']) expect(() => read(name)).toThrow(/ENOENT/);
  });

  test('is not built twice', async () => {
    const before = statSync(join(out, 'docs.example/v1/index.html')).ino;
    lines.length = 0;
    await buildDebianWeb(options);
    expect(lines).toEqual(['[1/1] tiny-doc: 1.0 is laid out already']);
    expect(statSync(join(out, 'docs.example/v1/index.html')).ino).toBe(before);
  });

  test('a capped row has its nearest pages', async () => {
    const capped = join(folder, 'capped');
    const manifest = await buildDebianWeb({ ...options, out: capped, cap: 3 });
    expect(manifest.pages).toBe(3);
    const list = readFileSync(join(capped, manifest.rows[0]?.list ?? ''), 'utf8')
      .trim()
      .split('\n');
    expect(list.slice(0, 3)).toEqual(['docs.example/v1/a.html', 'docs.example/v1/index.html', 'docs.example/v1/sub/index.html']);
  });

  test('is served through the proxy, with portals, and no way out', async () => {
    const virtual = portalPages({ dir: out, portals: 2, pagesPerPortal: 2, linksPerPage: 5, seed: 4 });
    const web = await startDebianWeb({ dir: out, virtual });
    try {
      expect((await viaProxy(web.port, 'http://docs.example/v1/')).body.toString()).toBe(read('index.html'));
      expect((await viaProxy(web.port, 'http://docs.example/v1/sub')).headers.location).toBe('http://docs.example/v1/sub/');
      expect((await viaProxy(web.port, 'http://docs.example/../manifest.json')).status).toBe(404);
      expect((await viaProxy(web.port, 'http://../manifest.json')).status).toBe(502);
      expect(await rawExchange(web.port, 'GET /manifest.json HTTP/1.1\r\nHost: ..\r\nConnection: close\r\n\r\n')).toMatch(/ 502 /);
      const portal = (await viaProxy(web.port, 'http://portal-2.example/page-2.html')).body.toString();
      const hrefs = [...portal.matchAll(/<li><a href="([^"]*)">/g)].map((match) => match[1] ?? '');
      expect(hrefs).toHaveLength(5);
      for (const href of hrefs) {
        const target = await viaProxy(web.port, href);
        expect(target.status).toBe(200);
        expect(portal).toContain(`<a href="${href}">${titleOf(target.body)}</a>`);
      }
      expect(portal).toContain('<a href="http://portal-1.example/">');
    } finally {
      await web.close();
    }
  });

  test('portals are the same for the same seed', () => {
    const made = (seed: number) => portalPages({ dir: out, portals: 1, seed });
    expect(made(1)).toEqual(made(1));
    expect(made(1)).not.toEqual(made(2));
    expect(() => portalPages({ dir: join(folder, 'none'), portals: 1, seed: 1 })).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  test('a new version replaces the old pages', async () => {
    expect(read('old.html')).toContain('Old');
    buildDeb(debs, '2.0', { 'new.html': page('New') });
    await buildDebianWeb(options);
    expect(readManifest(out).rows.map((row) => row.version)).toEqual(['2.0']);
    expect(read('new.html')).toContain('New');
    expect(() => read('old.html')).toThrow(/ENOENT/);
  });

  test('a damaged package is named, the others are built', async () => {
    writeFileSync(join(debs, 'broken-doc_1_all.deb'), 'no archive');
    const rows = [{ ...ROW, package: 'broken-doc', host: 'broken.example' }, ROW];
    const building = buildDebianWeb({ ...options, rows, out: join(folder, 'partly') });
    await expect(building).rejects.toThrow(/packages not built: broken-doc/);
    expect(readManifest(join(folder, 'partly')).rows.map((row) => row.package)).toEqual(['tiny-doc']);
  });
});

describe('the build command', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const run = (args: readonly string[], env = process.env) =>
    spawnSync(process.execPath, ['--import', 'tsx', 'datasets/debian-web/build.ts', ...args], { cwd: root, env, encoding: 'utf8' });

  test('without apt it says so and exits with 3', () => {
    const result = run(['--only', 'docs.python.org', '--out', join(folder, 'no-apt')], { ...process.env, PATH: '/nonexistent' });
    expect([result.status, result.stderr.trim()]).toEqual([3, expect.stringMatching(/^apt-cache is not installed: .*Debian 12/)]);
  });

  test('a bad option exits with 2', () => {
    for (const args of sample([['--cap', 'many'], ['--only', 'no.example'], ['--debs', join(folder, 'none')], ['--what']], [1]))
      expect(run(args).status).toBe(2);
  });
});

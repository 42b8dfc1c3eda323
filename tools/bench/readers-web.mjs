/**
 * The web of `npm run bench -- readers`, as a proxy: a page is a number, and all that it says and links to follows from that. Even ones are on topic.
 */
import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';

/** Links of a page, and those of them that nobody else has. */
const [LINKS, OWN] = [60, 45];
/** Pages that all others link to. */
const COMMON = 5000;
const HOSTS = 997;
const WORDS = [
  'moss peat bog sphagnum fern spore rhizoid wetland mire heath capsule frond bryophyte carbon water table',
  'budget election court price market road school hospital law bank tax city council train engine mayor',
].map((words) => words.split(' '));

function mix(a, b) {
  let hash = Math.imul(a ^ Math.imul(b + 0x9e3779b9, 0x85ebca6b), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** A third of them of the other sort, or of any. */
function words(page, count) {
  return Array.from({ length: count }, (_, i) => {
    const hash = mix(page, i);
    const sort = hash % 3 === 0 ? hash % 2 : page % 2;
    return WORDS[sort][(hash >>> 4) % 16];
  }).join(' ');
}

function linked(page, i) {
  const hash = i < OWN ? mix(page, i + 1000) : mix(7, mix(page, i) % COMMON);
  const isOnTopic = (hash >>> 7) % 100 < (page % 2 === 0 ? 20 : 4);
  return (hash >>> 1) * 2 + (isOnTopic ? 0 : 1);
}

function urlOf(page) {
  return `http://h${page % HOSTS}.example/articles/${page.toString(36)}/${page}.html`;
}

function pageOf(page) {
  const title = words(page, 5);
  const links = Array.from({ length: LINKS }, (_, i) => {
    const to = linked(page, i);
    return `<p>${words(page, 12)} <a href="${urlOf(to)}">${words(i % 2 === 0 ? to : page, 4)}</a></p>`;
  });
  return `<title>${title} ${page}</title><h1>${title}</h1><article><p>${words(page, 220)}</p></article>${links.join('\n')}`;
}

const server = createServer((request, response) => {
  const page = Number(/(\d+)\.html$/.exec(request.url)?.[1] ?? Number.NaN);
  response.writeHead(Number.isNaN(page) ? 404 : 200, { 'content-type': 'text/html' });
  response.end(Number.isNaN(page) ? '' : pageOf(page));
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));

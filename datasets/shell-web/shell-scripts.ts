/** The scripts of the web of shells, one a kind. They use the interfaces that applications use; nothing is loaded from elsewhere. */
import { MODULE_HOST, type ShellKind } from './shell-kinds.ts';

/** `page` is `{ title, html }`, as `/api/<id>.json` has it. */
const SHOW = "function show(page){document.title=page.title;document.getElementById('root').innerHTML=page.html}";
const ID = "const id=location.pathname.split('/')[2];";

const FETCHED = `fetch('/api/'+id+'.json').then(answer=>answer.json()).then(show)`;
const REQUESTED = `const request=new XMLHttpRequest();request.open('GET','/api/'+id+'.json');request.onload=()=>show(JSON.parse(request.responseText));request.send()`;

/** Script of each kind but `client` and `module`. */
export const SHELL_SCRIPTS: Readonly<Record<Exclude<ShellKind, 'client' | 'module'>, string>> = {
  // What trackers do: a POST, a beacon, an image. None of them may be asked for.
  xhr: `${SHOW}${ID}if(id%32<16)${FETCHED};else{${REQUESTED}}
fetch('/collect',{method:'POST',body:'seen'}).catch(()=>{});navigator.sendBeacon('/beacon','seen');new Image().src='/pixel.gif?page='+id;`,
  hydrated: `const root=document.getElementById('root');for(const link of root.querySelectorAll('a'))link.addEventListener('click',()=>{});
const copy=root.innerHTML;root.innerHTML=copy;root.dataset.ready='yes';`,
  hash: `${SHOW}
function route(){const id=/^#!?\\/page\\/(\\d+)$/.exec(location.hash)?.[1];if(id===undefined)location.hash='#/page/'+location.pathname.split('/')[2];else ${FETCHED}}
addEventListener('hashchange',route);route();`,
  list: `${ID}const list=document.getElementById('items');const end=document.getElementById('end');let busy=false;
const watch=new IntersectionObserver(seen=>{if(!seen.some(one=>one.isIntersecting)||busy)return;busy=true;
fetch('/items/'+id+'.json?from='+list.children.length).then(answer=>answer.json()).then(items=>{for(const item of items){const row=document.createElement('li');row.innerHTML=item;list.append(row)}
if(items.length===0)watch.disconnect();watch.unobserve(end);busy=false;watch.observe(end)})});watch.observe(end);`,
  late: `${SHOW}${ID}setTimeout(()=>{${FETCHED}},800);`,
  history: `${SHOW}
const id=/^\\/history\\/(\\d+)/.exec(location.pathname)?.[1];history.replaceState({id},'',location.pathname);${FETCHED};`,
};

/** Script of static pages: it changes nothing that is text. */
export const SITE_SCRIPT =
  "document.documentElement.classList.add('ready');for(const link of document.links)link.addEventListener('click',()=>{});";

/** Bundle of a host of the kind `client`: the pages of the host are in it. @param pages `{ title, html }` by id, as JSON */
export function bundleOf(pages: string): string {
  return `(()=>{${SHOW}${ID}const pages=${pages.replaceAll('</', '<\\/')};if(pages[id])show(pages[id])})();`;
}

/** Entry module of a page of the kind `module`. */
export const MODULE_ENTRY = `import { mount } from 'http://${MODULE_HOST}/lib/view.js';
await mount(document.getElementById('root'),location.pathname.split('/')[2]);`;

/** Files of `MODULE_HOST` by path. */
export const MODULE_FILES: Readonly<Record<string, string>> = {
  '/lib/view.js': `import { dataOf } from './data.js';
export async function mount(root,id){const page=await dataOf(id);document.title=page.title;root.innerHTML=page.html}`,
  '/lib/data.js': "export async function dataOf(id){return (await fetch('/api/'+id+'.json')).json()}",
};

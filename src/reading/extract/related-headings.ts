/** Headings above teasers of other products, in the languages of most shops. */
import { squeeze } from '../../base/text/squeeze.ts';

/** Longer lines are sentences. */
const MAX_CHARS = 80;

/** Beginnings and whole forms, in lower case; `…` stands for any words. Collected by hand from shop systems and their translations. */
const HEADINGS = [
  'customers … also …|people … also …|shoppers … also …|others … also …|customers who bought …|other people bought …|you may also …|you might also …|' +
    'you may like …|you might like …|related products …|related items …|related accessories …|similar products …|similar items …|other products …|' +
    'recommended for you …|recommended products …|recommended items …|recently viewed …|your recently viewed …|your browsing history …|' +
    'frequently bought together …|more from …|more like this …|more products …|complete the look …|complete the set …|complete your …|' +
    'goes well with …|pairs well with …|explore related …|explore similar …|compare with similar …|compare similar …|featured products …|sponsored …|' +
    'best sellers|bestsellers|our best sellers|shop the look|we also recommend …|inspired by your …',
  'kunden … auch …|andere … auch …|das könnte … gefallen|das könnte … interessieren|könnte … auch gefallen …|ähnliche artikel …|ähnliche produkte …|' +
    'verwandte produkte …|verwandte artikel …|weitere artikel …|weitere produkte …|passende artikel …|passende produkte …|passendes zubehör …|empfohlene artikel …|' +
    'empfohlene produkte …|unsere empfehlungen …|zuletzt angesehen …|zuletzt gesehen …|wird oft zusammen gekauft …|passend dazu …|dazu passt …|dazu passen …|mehr von …',
  'les clients … aussi …|les clients … également …|vous aimerez … aussi …|vous aimerez …|vous pourriez … aimer …|vous pourriez être intéressé …|cela pourrait … plaire|' +
    'produits similaires …|produits associés …|produits apparentés …|produits liés …|produits recommandés …|produits complémentaires …|articles similaires …|' +
    'articles associés …|récemment consultés …|vus récemment …|vous avez récemment …|fréquemment achetés ensemble …|dans la même catégorie …|à découvrir aussi …',
  'los clientes … también …|clientes … también …|también te puede …|también te podría …|te puede interesar …|te podría interesar …|quizás te interese …|' +
    'productos relacionados …|productos similares …|productos recomendados …|artículos relacionados …|artículos similares …|vistos recientemente …|visto recientemente …',
  'chi ha acquistato … anche …|i clienti … anche …|potrebbe … piacerti …|potrebbero … interessarti …|potrebbe … interessarti …|ti potrebbe … piacere …|' +
    'ti potrebbe … interessare …|prodotti correlati …|prodotti simili …|prodotti consigliati …|articoli correlati …|articoli simili …|visti di recente …',
  'os clientes … também …|clientes … também …|quem comprou … também …|você também pode …|também pode gostar …|poderá também gostar …|produtos relacionados …|' +
    'produtos semelhantes …|produtos recomendados …|artigos relacionados …|vistos recentemente …',
  'klanten … ook …|anderen … ook …|misschien vind je …|dit vind je misschien …|vind je misschien ook …|gerelateerde producten …|vergelijkbare producten …|' +
    'aanbevolen producten …|bijpassende producten …|recent bekeken …|laatst bekeken …|vaak samen gekocht …|ook interessant …',
  'klienci … także …|klienci … również …|inni … także …|może ci się spodobać …|może cię zainteresować …|podobne produkty …|produkty podobne …|produkty powiązane …|' +
    'powiązane produkty …|polecane produkty …|polecamy …|ostatnio oglądane …',
  'похожие товары …|похожие продукты …|сопутствующие товары …|рекомендуемые товары …|рекомендуем …|с этим товаром …|вместе с этим …|вам может понравиться …|' +
    'вам также может …|вам также понравится …|вы недавно смотрели …|вы смотрели …|недавно просмотренные …|схожі товари …|з цим товаром …',
  'liknande produkter …|relaterade produkter …|andra … också …|kunder … också …|du kanske också …|lignende produkter …|relaterede produkter …|andre … også …|' +
    'samankaltaisia tuotteita …|související produkty …|podobné produkty …|mohlo by se vám líbit …|zákazníci … také …|kapcsolódó termékek …|produse similare …|' +
    'benzer ürünler …|ilgili ürünler …|bunlar da ilginizi …|bunu alanlar …',
  '相关商品…|相关产品…|相关推荐…|猜你喜欢…|看了又看…|买了又买…|为您推荐…|为你推荐…|推荐商品…|热销推荐…|同类推荐…|相關商品…|相關產品…|猜你喜歡…|為您推薦…|推薦商品…|你可能也喜歡…|您可能也喜欢…|' +
    '関連商品…|おすすめ商品…|おすすめの商品…|この商品を買った人…|この商品を見た人…|この商品をチェックした人…|最近チェックした…|類似商品…|こちらもおすすめ…|あなたへのおすすめ…|' +
    '관련 상품…|관련상품…|함께 본 상품…|추천 상품…|추천상품…|최근 본 상품…|비슷한 상품…|함께 구매한…',
  'منتجات ذات صلة …|منتجات مشابهة …|قد يعجبك …|ربما يعجبك …|العملاء … أيضا …|محصولات مرتبط …|محصولات مشابه …|מוצרים דומים …|מוצרים נוספים …|אולי תאהבו …',
];

const PATTERN = new RegExp(
  `^(?:${HEADINGS.flatMap((list) => list.split('|'))
    .map(patternOf)
    .join('|')})$`,
  'u',
);

/** `you may also …`: the words, then any or none; `…` inside is at least none as well. */
function patternOf(form: string): string {
  return form.replaceAll(/ … /g, '(?: .*)? ').replace(/ …$/, '(?: .*)?').replace(/…$/, '.*');
}

/** Is a line the heading of teasers of other products? O(characters), at most 80. */
export function isRelatedHeading(line: string): boolean {
  if (line.length > MAX_CHARS) return false;
  return PATTERN.test(squeeze(line.toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')));
}

// Every line after a directive must fail to compile: a directive with nothing to expect is itself an error.
import { createCatalogClient, type CatalogClientOptions } from 'unplugin-icon-catalog/client';
// @ts-expect-error The transport is not public.
import { createTransport } from 'unplugin-icon-catalog/client';

const client = createCatalogClient({ baseUrl: 'https://catalog.example', key: 'k', secret: 's' });
const { v1 } = client;

// @ts-expect-error A client has a secret.
createCatalogClient({ baseUrl: 'https://catalog.example', key: 'k' });
// @ts-expect-error The word is `baseUrl`.
createCatalogClient({ url: 'https://catalog.example', key: 'k', secret: 's' });
// @ts-expect-error Milliseconds are a number.
createCatalogClient({ baseUrl: 'https://catalog.example', key: 'k', secret: 's', timeout: '5s' });

// @ts-expect-error An id is needed.
void client.icon();
// @ts-expect-error An id is a number or its digits.
void client.icon({ id: 1 });
// @ts-expect-error Thumbnails are 42, 84 or 200.
void client.icon(1, { thumbnail_size: 100 });
// @ts-expect-error The thumbnail size is a number.
void client.icon(1, { thumbnail_size: '42' });
// @ts-expect-error A single icon has no limit.
void client.icon(1, { limit: 5 });

// @ts-expect-error Styles are solid and line.
void client.icons({ styles: 'bold' });
// @ts-expect-error Styles are separated by commas.
void client.icons({ styles: 'solid line' });
// @ts-expect-error Each style of a list is solid or line.
void client.icons({ styles: ['solid', 'bold'] });
// @ts-expect-error A weight is a number or a range.
void client.icons({ line_weight: 'thick' });
// @ts-expect-error A range is written with a dash.
void client.icons({ line_weight: [4, 10] });
// @ts-expect-error The query is text.
void client.icons({ query: 5 });
// @ts-expect-error The wire has snake_case.
void client.icons({ lineWeight: 7 });
// @ts-expect-error A token is text.
void client.icons({ next_page: 2 });
// @ts-expect-error A list is read forward or back.
void client.icons({ next_page: 'a', prev_page: 'b' });
// @ts-expect-error Icons of a collection are read forward or back.
void client.collection(1, { next_page: 'a', prev_page: 'b' });
// @ts-expect-error Collections are read forward or back.
void client.collections({ next_page: 'a', prev_page: 'b' });
// @ts-expect-error A flag is 1 or true.
void client.icons({ include_svg: 'yes' });

// @ts-expect-error Files are svg or png.
void client.download(1, { filetype: 'gif' });
// @ts-expect-error A size is a number of pixels.
void client.download(1, { filetype: 'png', size: '64px' });
// @ts-expect-error An svg has no size.
void client.download(1, { filetype: 'svg', size: 64 });
// @ts-expect-error Without a type the file is an svg.
void client.download(1, { size: 64 });
// @ts-expect-error The word is `color`.
void client.download(1, { colour: 'ff0000' });

// @ts-expect-error Collections are not searched by style.
void client.collections({ styles: 'solid' });
// @ts-expect-error A collection has no query.
void client.collection(1, { query: 'house' });
// @ts-expect-error Suggestions need a text.
void client.autocomplete({ query: 'house' });
// @ts-expect-error Suggestions need a text.
void client.autocomplete();
// @ts-expect-error There are at most 10 suggestions.
void client.autocomplete('house', { limit: 11 });
// @ts-expect-error There is at least one suggestion.
void client.autocomplete('house', { limit: 0 });
// @ts-expect-error The text is the first argument.
void client.autocomplete('house', { query: 'house' });
// @ts-expect-error Usage takes nothing.
void client.usage({ period: 'monthly' });

// @ts-expect-error Ids are a list.
void client.blacklistIds(1);
// @ts-expect-error Icons or collections.
void client.blacklistIds([1], { type: 'term' });
// @ts-expect-error overwrite is true or false.
void client.blacklistIds([1], { overwrite: 1 });
// @ts-expect-error Terms are texts.
void client.blacklistTerms([1]);
// @ts-expect-error Terms are of one kind.
void client.blacklistTerms(['a'], { type: 'icon' });

// @ts-expect-error An iteration goes forward only.
void client.iterateIcons({ prev_page: 'token' });
// @ts-expect-error An iteration is not a promise of a list.
void client.iterateIcons({}).then;

// @ts-expect-error v1 has no styles.
void v1.icons('house', { styles: 'solid' });
// @ts-expect-error v1 needs a term.
void v1.icons({ limit: 5 });
// @ts-expect-error v1 pages are numbers.
void v1.collections({ page: 'token' });
// @ts-expect-error Collections of a user need a slug.
void v1.userCollection(1);
// @ts-expect-error Pages are the iterator's own.
void v1.iterateCollections({ page: 2 });
// @ts-expect-error v1 downloads nothing.
void v1.download(1);

// @ts-expect-error Options of a call are not parameters of its query.
void client.icon(1, { timeout: 5 });
// @ts-expect-error A signal is an AbortSignal.
void client.usage({ signal: 'now' });
// @ts-expect-error Retries are a number.
void client.icon(1, {}, { retries: true });
type Hook = NonNullable<CatalogClientOptions['onRequest']>;
// @ts-expect-error A hook never sees the signature.
const hook: Hook = ({ authorization }) => authorization;

// @ts-expect-error An address may be absent.
void client.icon(1).then(({ icon }) => icon.icon_url.length);
// @ts-expect-error Ids are text.
void client.icon(1).then(({ icon }) => icon.id.toFixed());
// @ts-expect-error A line weight may be absent.
void client.icon(1).then(({ icon }) => icon.styles![0]!.line_weight.toFixed());
// @ts-expect-error An uploader may be unknown.
void v1.icon(1).then(({ icon }) => icon.uploader.name);
// @ts-expect-error A year may be unknown.
void v1.icon(1).then(({ icon }) => icon.year.toFixed());
// @ts-expect-error Flags of v1 are text.
void v1.collection(1).then(({ collection }) => collection.is_featured === true);
// @ts-expect-error A limit may be none.
void v1.usage().then(({ limits }) => limits.hourly.toFixed());
// @ts-expect-error v1 records have no creator.
void v1.icon(1).then(({ icon }) => icon.creator);
// @ts-expect-error v2 records have no uploader.
void client.icon(1).then(({ icon }) => icon.uploader);

export { createTransport, hook };

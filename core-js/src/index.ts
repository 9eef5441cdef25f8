// The public interface of the package.

export { type ByteSource, bytesSource } from './byte_source.ts';
export { CatalogReader, type CatalogReaderOptions, type Statistics } from './catalog_reader.ts';
export { type Fetch, httpRangeSource, type HttpRangeOptions } from './http_range_source.ts';
export type { Answer, Fields } from './instance.ts';
export { BlocksUnavailable } from './pins.ts';

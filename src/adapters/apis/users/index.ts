/** `/users`: the directory, in every format. */
import type { DescribedApi } from '../../http/core/api.ts';
import { resourceApi } from '../resources/index.ts';
import type { ResourceParts } from '../resources/service.ts';

/** In bytes after decoding: more than any user in XML and UTF-16. */
export const maxBodyBytes = 256 * 1024;

export const usersApi = (parts: ResourceParts): DescribedApi =>
  resourceApi({ ...parts, description: 'The directory.', maxBodyBytes });

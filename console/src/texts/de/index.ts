import type { Catalog } from '../en/index.ts';
import { frame } from './frame.ts';

export const de: Catalog = { frame };

import { Observable } from './observable.ts';

/** Said on the next page of something that was done on the one before; undefined: nothing. */
export const announcement = new Observable<string | undefined>(undefined);

export const announce = (text: string): void => announcement.set(text);

import { useEffect } from 'preact/hooks';

/** Of the tab. @param name of what is looked at; empty: the whole @param section where it stands */
export function useTitle(name: string, section: string): void {
  useEffect(() => {
    document.title = name === '' ? section : `${name} · ${section}`;
  }, [name, section]);
}

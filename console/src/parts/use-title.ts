import { useEffect } from 'preact/hooks';

/** Of the tab. @param name of what is looked at; empty: the whole */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = name === '' ? 'Users' : `${name} · Users`;
  }, [name]);
}

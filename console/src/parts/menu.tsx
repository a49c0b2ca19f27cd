import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icons.tsx';

interface MenuProps {
  readonly icon: IconName;
  readonly summary: ComponentChildren;
  readonly class?: string;
  readonly onOpen?: (menu: HTMLElement) => void;
  readonly children: ComponentChildren;
}

/** Called by an item of a menu before it opens a dialog, which later returns the focus to the menu. */
export function closeMenu(inside: Element): void {
  const menu = inside.closest('details');
  menu?.removeAttribute('open');
  menu?.querySelector('summary')?.focus();
}

/** Opens below its label; a click elsewhere, Escape, or leaving it with Tab closes it. */
export function Menu({ icon, summary, class: more = '', onOpen, children }: MenuProps) {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const closeOutside = ({ type, target }: Event) => {
      const menu = element.current;
      if (!menu?.open || !(target instanceof Node)) return;
      // Pressing on text in the menu moves the focus to an element around it.
      const isAround = type === 'focusin' && target.contains(menu);
      if (!isAround && !menu.contains(target)) menu.open = false;
    };
    addEventListener('pointerdown', closeOutside);
    addEventListener('focusin', closeOutside);
    return () => {
      removeEventListener('pointerdown', closeOutside);
      removeEventListener('focusin', closeOutside);
    };
  }, []);
  return (
    <details
      ref={element}
      class={`menu ${more}`}
      onToggle={({ currentTarget }) => currentTarget.open && onOpen?.(currentTarget)}
      onKeyDown={(event) => {
        const menu = element.current;
        if (event.key !== 'Escape' || !menu?.open) return;
        event.stopPropagation();
        menu.open = false;
        menu.querySelector('summary')?.focus();
      }}
    >
      <summary>
        <Icon name={icon} /> {summary}
      </summary>
      <div class="menu-body">{children}</div>
    </details>
  );
}

import type { ComponentChildren } from 'preact';

/** What is said of something, such as of what went wrong. */
export interface Words {
  readonly title: string;
  /** What it means, and what there is to do. */
  readonly text: string;
}

interface NoticeProps {
  readonly tone: 'info' | 'good' | 'warning' | 'bad';
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Read out when it appears. */
export const Notice = ({ tone, title, children }: NoticeProps) => (
  <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    <p class="notice-title">{title}</p>
    {children}
  </div>
);

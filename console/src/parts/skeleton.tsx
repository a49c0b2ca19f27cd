/** Drawn only when a wait is long enough to be noticed. */
export const Skeleton = ({ rows }: { readonly rows: number }) => (
  <div class="skeleton" aria-hidden="true">
    {Array.from({ length: rows }, (_, index) => (
      <span key={index} />
    ))}
  </div>
);

import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { Button } from '../ui/layout/Button.tsx';
import { EmptyState } from '../ui/feedback/States.tsx';
import { ReloadIcon } from '../ui/layout/icons.ts';
import { ChunkError } from '../platform/chunks.ts';

/** A page that could not be loaded, or that broke while it was drawn. */
export function ErrorPage() {
  const { t } = useTranslation('errors');
  const error = useRouteError();
  const isChunk = error instanceof ChunkError;
  return (
    <div role="alert">
      <EmptyState
        page
        title={t(isChunk ? 'chunkTitle' : 'brokenTitle')}
        hint={t(isChunk ? 'chunkHint' : 'brokenHint')}
        action={
          <Button look="primary" icon={<ReloadIcon />} onClick={() => window.location.reload()}>
            {t('reload')}
          </Button>
        }
      />
    </div>
  );
}

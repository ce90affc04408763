import type { User } from '@ams/contract';
import { type ComponentProps, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../feedback/Dialog.tsx';
import { Skeletons } from '../feedback/Skeleton.tsx';

/** The list comes with the component kit, which no page needs before somebody opens it. */
const UserList = lazy(() => import('./UserList.tsx'));

interface UserPickerProps {
  /** The users to choose from, by a part of their name. */
  query: ComponentProps<typeof UserList>['query'];
  title?: string;
  onPick: (user: User) => void;
  onClose: () => void;
}

/** A sheet with the users in scope, searchable, for choosing one: the owner of a device, for instance. */
export function UserPicker({ query, title, onPick, onClose }: UserPickerProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={title ?? t('chooseUser')} kind="sheet" onClose={onClose}>
      <Suspense fallback={<Skeletons height={56} />}>
        <UserList query={query} onPick={onPick} />
      </Suspense>
    </Dialog>
  );
}

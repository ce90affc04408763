import type { colleagues as en } from '../en/colleagues.ts';
import type { Texts } from '../texts.ts';

export const colleagues: Texts<typeof en> = {
  title: 'Đồng nghiệp',
  hint: 'Đồng nghiệp đăng nhập bằng tên riêng và thao tác thay cho tài khoản này. Nhật ký hoạt động ghi tên họ.',
  empty: 'Chưa có đồng nghiệp',
  invite: 'Mời đồng nghiệp',
  name: 'Tên',
  operator: 'Người vận hành',
  readOnly: 'Chỉ xem',
  operatorHint: 'Có thể làm mọi việc trừ quản lý đồng nghiệp.',
  readOnlyHint: 'Có thể xem mọi thứ nhưng không thay đổi gì.',
  invitedUntil: 'Đã mời · liên kết có hiệu lực đến {{date}}',
  shareText: 'Tham gia tài khoản bằng liên kết này:',
  disabledAbove: 'Bị cấp trên khóa',
  rename: 'Đổi tên',
  makeOperator: 'Cho phép vận hành',
  makeReadOnly: 'Chuyển thành chỉ xem',
  disableTitle: 'Khóa {{name}}?',
  disableBody: 'Mọi phiên của đồng nghiệp này kết thúc ngay. Việc họ đã yêu cầu vẫn tiếp tục.',
  deleteTitle: 'Xóa {{name}}?',
  deleteBody:
    'Mọi phiên của đồng nghiệp này kết thúc ngay. Những gì họ đã làm vẫn còn trong tài khoản. Không thể hoàn tác.',
  revokeTitle: 'Thu hồi lời mời của {{name}}?',
  revokeBody: 'Liên kết sẽ không còn dùng được.',
};

// What calls.c does with the calls that SQLite makes of the operating system.
#include <stddef.h>
#include <stdint.h>

// What happens at the chosen call.
enum { KILL = 1, FAIL_IO, FAIL_SPACE, HALF, LOOK_IO };

// The calls of a trace.
enum { CREATE = 'c', WRITE = 'w', TRUNCATE = 't', UNLINK = 'u', SYNC = 's', SYNC_FOLDER = 'd', MARK = 'm' };

typedef struct {
  int call, file;
  int64_t at;  // offset of a write, size after a truncate, number of a mark
  size_t from, size;  // of what was written, in the trace's bytes
} event;

int arm(int n, int how);
int calls_made(int sort);  // 0: that change something, 1: that only look
const char *call_made(int sort, int i);
void skip_syncs(void);
void start_trace(const char *folder);
void mark(int64_t number);
int traced(event **events, char **bytes);

/* Runs a command and prints what it took: seconds, then peak kibibytes.
 *
 *   measure COMMAND [WORD...]
 *
 * The command's own output goes nowhere; its errors are shown. Exit status: the
 * command's, or 2 where it could not be run. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void become(char **words) {
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0)
    dup2(nowhere, STDOUT_FILENO);
  execvp(words[0], words);
  perror(words[0]);
  _exit(2);
}

int main(int count, char **words) {
  if (count < 2) {
    fprintf(stderr, "usage: measure COMMAND [WORD...]\n");
    return 2;
  }
  double began = clock_now();
  pid_t child = fork();
  if (child == 0)
    become(words + 1);
  int status;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
    perror("measure");
    return 2;
  }
  printf("%.6f %ld\n", clock_now() - began, usage.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

/* trial.c - begin and end trials. */
#include "prefetch/trial.h"

/* Plans of other files for each plan of the trial; then its file is no longer read, and it ends. */
enum { PATIENCE = 4 };

bool
trial_vetoes(struct trial *t, file_t file)
{
	if (!t->left) {
		if (++t->passed % t->every == 0) {
			t->file = file;
			t->left = t->plans;
			t->patience = PATIENCE * t->plans;
		}
		return false;
	}
	if (file == t->file) {
		t->left--;
		return true;
	}
	if (!--t->patience)
		t->left = 0;
	return false;
}
